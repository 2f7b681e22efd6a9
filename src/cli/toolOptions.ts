/** Options that `serve` and `mcp` share. */
import path from 'node:path';
import type { CliContext } from './context';
import { UsageError } from './errors';
import { type OptionTable, type Parsed, text } from './options';
import { statOf } from './stat';
import type { EngineOptions } from './toolHost';

export const ROOT_OPTION: OptionTable = { root: { type: 'string' } };

/** Lines of a command's help. */
export const TOOLS_ROOT_HELP = `  --root DIR                the folder that kernels may read, and outside of which none is run; names of files are
                            relative to it. Without it, they are relative to the current folder, and each kernel reads its project`;

/** @throws UsageError */
export function hostOptions(values: Parsed['values'], { dist }: CliContext): Pick<EngineOptions, 'dist' | 'folder' | 'root'> {
  const given = text(values, 'root');
  if (given === undefined) return { dist, folder: process.cwd() };
  const root = path.resolve(given);
  if (!statOf(root, `--root ${given}`)?.isDirectory()) throw new UsageError(`--root ${given}: not a folder`);
  return { dist, folder: root, root };
}
