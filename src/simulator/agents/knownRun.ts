/** The run that a tool's input names. */
import { packNkiprof } from '../formats/nkiprof';
import type { ProfileSource } from '../service/reading/messages';
import type { ToolHost, ToolRun, WhichRun } from './tool';
import { ToolError } from './toolError';

/** @throws ToolError that says how to get one */
export function knownRun(host: ToolHost, { run, file }: WhichRun): ToolRun {
  if (run === undefined && file === undefined)
    throw new ToolError('WrongInput', 'name a run', { next: 'Give run, the id that profile returned, or file.' });
  const found = host.find({ run, file: file && host.pathOf(file) });
  if (found) return found;
  const what = run === undefined ? `${file} has not been profiled here` : `there is no run ${run}`;
  throw new ToolError('NoRun', what, { next: 'Call profile first: it returns the ids of its runs.' });
}

/** As the reading worker takes it. */
export const sourceOf = ({ bytes, name }: ToolRun): ProfileSource => ({ bytes: packNkiprof(bytes), name });
