/** The profile that a command works on: a file that `-s` names, or the last run of a kernel that is captured now. */

import { type ProfileSource, packNkiprof, SimulatorClient } from '../simulator/index';
import { CAPTURE_OPTIONS, captureRequest } from './captureRequest';
import { sayIfOpen } from './confinement';
import type { CliContext } from './context';
import { InputError, UsageError } from './errors';
import { errorText } from './messages';
import { type OptionTable, type Parsed, text } from './options';

/** What a capture can be told; what to do with its profile is the command's. */
const { 'explain-compile': _, json: __, 'precision-report': ___, reference: ____, ...KERNEL_OPTIONS } = CAPTURE_OPTIONS;
export const PROFILE_OPTIONS: OptionTable = KERNEL_OPTIONS;

export const PROFILE_HELP = `  -s, --session-file FILE   a profile that \`capture\` wrote; else name FILE.py, and options of \`capture\` for it
                            (--kernel, --case, --arg, --input, --grid, --target, --pipeline, …)`;

/** @throws UsageError, InputError */
export async function profileToRead(command: string, parsed: Parsed, context: CliContext): Promise<ProfileSource> {
  const file = text(parsed.values, 'session-file');
  if (file !== undefined && parsed.positionals.length > 0)
    throw new UsageError(`${command}: name a profile with -s or a Python file, not both`);
  if (file !== undefined) return { path: file };
  if (parsed.positionals.length === 0) throw new UsageError(`${command}: name a Python file, or a profile with -s FILE`);
  return captured(parsed, context);
}

async function captured(parsed: Parsed, { dist, signal, terminal }: CliContext): Promise<ProfileSource> {
  const request = { numerics: 'off' as const, ...captureRequest(parsed) };
  const client = new SimulatorClient({ dist, keepSpare: false, onSandbox: sayIfOpen(terminal.log) });
  try {
    const { runs, error } = await client.capture(request, { onOutput: output => terminal.err(output) }, signal);
    const last = runs.at(-1);
    if (!last) throw new InputError(error ? errorText(error) : `${request.file}: no kernel was called`);
    if (error) terminal.log(errorText(error));
    return { bytes: packNkiprof(last.profile), name: `${last.kernel}.nkiprof` };
  } finally {
    client.dispose();
  }
}
