/**
 * `check_values`: whether an edit changes what a kernel computes, bit by bit; or how far its outputs are from those of a reference. Tensors of
 * `args` hold random numbers.
 */
import type { CaptureRun } from '../session/capture';
import { ranOf } from './profileKernel';
import type { AskedCall, ToolAnswer, ToolHost } from './tool';
import { ToolError } from './toolError';

type AskedValues = Omit<AskedCall, 'values' | 'fill'>;

export function checkValues(asked: AskedValues, host: ToolHost, signal: AbortSignal): Promise<ToolAnswer> {
  if (asked.reference !== undefined) return againstReference(asked, host, signal);
  if (asked.text !== undefined) return againstDisk(asked, host, signal);
  throw new ToolError('WrongInput', 'there is nothing to compare with', {
    next: 'Give text, the edited file, to compare it with the file on the disk; or reference, a function of the file.',
  });
}

async function againstReference(asked: AskedValues, host: ToolHost, signal: AbortSignal): Promise<ToolAnswer> {
  if (asked.kernel === undefined)
    throw new ToolError('WrongInput', 'a reference needs a kernel', {
      next: 'Give kernel, and args or a case: the reference takes the same.',
    });
  const outputs = (await valuesOf(asked, host, signal)).flatMap(({ outputs, references = [] }) =>
    outputs.map(({ name }, k) => ({ ...references[k], name })),
  );
  return { data: { reference: asked.reference, outputs }, text: outputs.map(output => JSON.stringify(output)).join('\n') };
}

async function againstDisk({ text, ...asked }: AskedValues, host: ToolHost, signal: AbortSignal): Promise<ToolAnswer> {
  const before = await valuesOf(asked, host, signal);
  const after = await valuesOf({ ...asked, text }, host, signal);
  if (before.length !== after.length)
    throw new ToolError('OtherCalls', `${before.length} kernel calls before the edit, ${after.length} after it`, {
      next: 'Give kernel and args, so that one call is compared.',
    });
  const outputs = before.flatMap((run, call) =>
    run.outputs.map(({ name, checksum }, k) => ({ kernel: run.kernel, name, same: checksum === after[call].outputs[k]?.checksum })),
  );
  const same = outputs.every(output => output.same);
  const differing = outputs.filter(output => !output.same).map(({ kernel, name }) => `${name} of ${kernel}`);
  return { data: { same, outputs }, text: same ? 'The values are the same, bit by bit.' : `Other values: ${differing.join(', ')}` };
}

/** @throws ToolError where the kernel does not run */
async function valuesOf(asked: AskedValues, host: ToolHost, signal: AbortSignal): Promise<CaptureRun[]> {
  const hosted = await host.capture({ ...asked, values: true, fill: 'random' }, signal);
  ranOf(hosted);
  const { error, runs } = hosted.result;
  if (error) throw new ToolError(error.kind, error.message, error);
  return runs;
}
