/** Checks messages from the process in which kernels run: a kernel that gained access to the pipe can send anything. */

import type { KernelInfo, UserError } from '../../frontend/protocol';
import type { CaptureResult, CaptureRun } from '../../session/capture';
import type { Check } from '../../vocabulary/check';
import { PIPELINES } from '../../vocabulary/pipelines';
import type { FromSandbox } from './messages';

/** The other end violated the protocol. */
export class NotUnderstood extends Error {
  override name = 'NotUnderstood';
}

type Fields = Record<string, unknown>;
type Is = (value: unknown) => boolean;

const isText: Is = value => typeof value === 'string';
const isNumber: Is = value => typeof value === 'number' && Number.isFinite(value);
const isCount: Is = value => isNumber(value) && Number.isInteger(value) && (value as number) >= 0;
const orNull =
  (is: Is): Is =>
  value =>
    value === null || is(value);
const orNothing =
  (is: Is): Is =>
  value =>
    value === undefined || is(value);
const oneOf =
  (...values: unknown[]): Is =>
  value =>
    values.includes(value);
const listOf =
  (is: Is): Is =>
  value =>
    Array.isArray(value) && value.every(is);
/** Accepts an object with exactly these fields. */
const shape =
  (fields: Record<string, Is>): Is =>
  value =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && has(value as Fields, fields);

const has = (value: Fields, fields: Record<string, Is>) =>
  Object.entries(fields).every(([name, is]) => is(Object.hasOwn(value, name) ? value[name] : undefined)) &&
  Object.keys(value).every(name => Object.hasOwn(fields, name));

const PHASE = oneOf('start', 'trace', 'compile', 'execute', 'schedule', 'script');

const RUN_ID = shape({ kernel: isText, call: isCount, rank: orNothing(isCount) });

const HEADERS: { [Type in FromSandbox['type']]: Record<Exclude<keyof Extract<FromSandbox, { type: Type }>, 'type'>, Is> } = {
  ready: {},
  retired: {},
  progress: { id: isCount, progress: shape({ phase: PHASE, instructions: orNothing(isCount) }) },
  returned: { id: isCount, call: RUN_ID },
  output: { id: isCount, text: isText, stream: oneOf('stdout', 'stderr') },
  save: { id: isCount, save: isCount, place: shape({ name: isText, folder: orNothing(isText), overwrite: orNothing(oneOf(true, false)) }) },
  profile: { id: isCount, returned: orNothing(isCount) },
  result: { id: isCount },
  kept: { id: isCount },
  inspecting: { id: isCount, done: isCount },
  inspected: { id: isCount },
  refused: { id: isCount, message: isText },
  fault: { id: isCount, report: isText },
};

/** @throws NotUnderstood */
export function receivedMessage(header: Fields): FromSandbox {
  const { type, ...rest } = header;
  if (typeof type !== 'string' || !Object.hasOwn(HEADERS, type) || !has(rest, HEADERS[type as FromSandbox['type']]))
    throw new NotUnderstood(`a message ${JSON.stringify(type)} that is not as it should be`);
  return header as unknown as FromSandbox;
}

const USER_ERROR: Record<keyof UserError, Is> = {
  kind: isText,
  message: isText,
  file: orNull(isText),
  line: orNull(isCount),
  traceback: orNull(isText),
};
const CHECK: Record<keyof Check, Is> = {
  severity: oneOf('error', 'warning', 'info'),
  message: isText,
  file: isText,
  line: isCount,
  instruction: orNothing(isCount),
};
const KERNEL: Record<keyof KernelInfo, Is> = {
  name: isText,
  line: isCount,
  params: listOf(shape({ name: isText, annotation: orNull(isText), default: orNull(isText) })),
};
const COUNTS = shape({ instructions: isCount, transfers: isCount });
const REPORT = shape({
  pipeline: oneOf(...PIPELINES),
  attempts: listOf(
    shape({
      passes: listOf(shape({ name: isText, evidence: isText, before: COUNTS, after: COUNTS, moved: isCount })),
      without: listOf(isText),
      dropped: orNull(shape({ message: isText, missingBytes: isNumber })),
    }),
  ),
});
const ERRORS = { relative: isNumber, largest: isNumber, meanSquared: isNumber, cosine: isNumber, notFinite: isCount };
const OUTPUTS = listOf(shape({ name: isText, against: isText, ...ERRORS }));
const PRECISION = shape({
  lines: listOf(
    shape({
      file: isText,
      line: isCount,
      text: isText,
      instructions: isCount,
      read: orNull(isNumber),
      written: isNumber,
      operation: isText,
      iteration: isText,
    }),
  ),
  outputs: OUTPUTS,
});
const RUN = {
  values: orNothing(listOf(isText)),
  precision: orNothing(PRECISION),
  narrowed: orNothing(listOf(shape({ instructions: isCount, outputs: OUTPUTS }))),
  references: orNothing(OUTPUTS),
  id: RUN_ID,
  compile: orNothing(listOf(REPORT)),
  kernel: isText,
  outputs: listOf(shape({ name: isText, shape: listOf(isCount), dtype: isText, checksum: orNull(isText) })),
  checks: listOf(shape(CHECK)),
};
const RESULT = shape({
  runs: listOf(shape(RUN)),
  kernels: listOf(shape(KERNEL)),
  error: orNull(shape(USER_ERROR)),
  readFiles: orNothing(listOf(isText)),
  timingsMs: shape({ start: isNumber, trace: isNumber, compile: isNumber, execute: isNumber, schedule: isNumber, total: isNumber }),
});

/** @param returned profiles that were sent before. @throws NotUnderstood */
export function profileOf({ returned: known }: { returned?: number }, payload: Uint8Array, returned: readonly Uint8Array[]): Uint8Array {
  if (known === undefined) return payload;
  if (known >= returned.length) throw new NotUnderstood(`the profile of returned call ${known} of ${returned.length}`);
  return returned[known];
}

/** The result whose runs have these profiles, in their order; one more is that of the run of all. @throws NotUnderstood */
export function receivedResult(json: Uint8Array, profiles: readonly Uint8Array[]): CaptureResult {
  let result: unknown;
  try {
    result = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    throw new NotUnderstood('a result that is not JSON');
  }
  if (!RESULT(result)) throw new NotUnderstood('a result that is not as it should be');
  const { runs, ...rest } = result as Omit<CaptureResult, 'runs'> & { runs: (Omit<CaptureRun, 'values'> & { values?: string[] })[] };
  const launches = profiles[runs.length];
  if (runs.length !== profiles.length && profiles.length !== runs.length + 1)
    throw new NotUnderstood(`${profiles.length} profiles of ${runs.length} runs`);
  return {
    ...rest,
    runs: runs.map(({ values, ...run }, k) => ({
      ...run,
      profile: profiles[k],
      ...(values && { values: values.map(text => new Uint8Array(Buffer.from(text, 'base64'))) }),
    })),
    ...(launches && { launches }),
  };
}
