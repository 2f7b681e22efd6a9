/**
 * Whether a message has the fields that its request asks for, of their types (`protocol.ts`). A kernel can write to the wire what it
 * likes: that is its mistake, not ours. What the values mean is checked where they are used.
 */
import type { HostRequest } from './protocol';

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const text: Check = value => typeof value === 'string';
const flag: Check = value => typeof value === 'boolean';
const whole: Check = value => Number.isSafeInteger(value);
const list =
  (of: Check): Check =>
  value =>
    Array.isArray(value) && value.every(of);
const pair: Check = value => list(whole)(value) && (value as unknown[]).length === 2;
/** Absent and null are one: Python has no word for the first. */
const optional =
  (check: Check): Check =>
  value =>
    value === undefined || value === null || check(value);
const object =
  (fields: Fields): Check =>
  value =>
    isObject(value) && wrongField(fields, value) === undefined;

const ERROR: Fields = { kind: text, message: text, file: optional(text), line: optional(whole), traceback: optional(text) };
const PARAMETER: Fields = { name: text, annotation: optional(text), default: optional(text) };
const KERNEL: Fields = { name: text, line: whole, params: list(object(PARAMETER)) };

const PROGRAM: Fields = {
  bytes: optional(list(whole)),
  rank: optional(whole),
  places: optional(list(list(pair))),
  coreBarriers: optional(list(list(whole))),
};
const SITE: Fields = {
  frames: list(object({ file: text, line: whole, function: text })),
  layer: text,
  sources: list(object({ path: text, text, sha256: text })),
};
const HOW: Fields = { precise: optional(flag), pipeline: optional(text), site: optional(object(SITE)) };

const FIELDS: Readonly<Record<HostRequest['call'], Fields>> = {
  job: {},
  run: { inputs: list(whole), ...PROGRAM, ...HOW },
  runRanks: { programs: list(object(PROGRAM)), ranks: list(object({ program: whole, inputs: list(whole) })), ...HOW },
  recordRanks: { first: whole, ranks: whole, instructions: whole },
  takeRank: { rank: whole },
  recorded: { ...PROGRAM, constants: list(whole), instructions: whole },
  peek: {
    first: flag,
    inputs: list(pair),
    tensor: whole,
    dtype: optional(text),
    offset: whole,
    strides: list(whole),
    counts: list(whole),
    purpose: text,
    apart: optional(object({ core: whole, from: whole, shared: list(whole) })),
  },
  'array.put': { dtype: text, shape: list(whole) },
  'array.op': { op: text, operands: list(whole), attributes: isObject, dtype: text, shape: list(whole), site: optional(object(SITE)) },
  'array.get': { array: whole, site: optional(object(SITE)) },
  'array.free': { array: whole },
  recording: { begins: flag },
  progress: { instructions: whole },
  reference: { function: text, arrays: list(whole) },
  profile: { rank: whole },
  ask: { about: text, given: optional(isObject) },
  saveProfile: { name: text, rank: optional(whole), folder: optional(text), overwrite: optional(flag) },
  done: { error: optional(object(ERROR)), kernels: list(object(KERNEL)) },
};

/** What is wrong with the header of a request, as the end of a sentence; null: nothing. */
export function shapeFault(header: Record<string, unknown>): string | null {
  const { call } = header;
  if (typeof call !== 'string' || !Object.hasOwn(FIELDS, call)) return `no request is called ${wordOf(call)}`;
  const wrong = wrongField(FIELDS[call as HostRequest['call']], header);
  return wrong === undefined ? null : `${call} cannot be asked with ${wrong} = ${wordOf(header[wrong])}`;
}

/** As one line of a message. */
const wordOf = (value: unknown) => String(JSON.stringify(value)).slice(0, 80);

const wrongField = (fields: Fields, value: Record<string, unknown>) => Object.keys(fields).find(name => !fields[name](value[name]));
