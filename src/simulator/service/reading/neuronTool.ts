/**
 * AWS's own reader for recordings that ours does not know: `neuron-explorer` or `neuron-profile`, as the user named it or as it is on the PATH.
 * It runs without a shell in a folder of its own, and what it writes is read as any other profile is.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isProfileTable } from '../../formats/capture/explorerFields';
import type { ProfileSource } from './messages';
import { neffBeside } from './neffBeside';
import { ReadingError } from './readingError';

type FileSource = Extract<ProfileSource, { path: string }>;

interface Tool {
  name: string;
  /** `view --output-format` */
  format: 'parquet' | 'json';
}

/** The newest first. */
const TOOLS: readonly Tool[] = [
  { name: 'neuron-explorer', format: 'parquet' },
  { name: 'neuron-profile', format: 'json' },
];

const TOOL_LIMIT_MS = 600_000;
const MOST_SAID = 400;
/** Folders that a tool may put its tables in, below the one that it was given. */
const MOST_DEPTH = 4;

export interface Converted {
  source: FileSource;
  /** What the tool wrote is no longer needed. */
  remove(): void;
}

export interface NeuronToolOptions {
  /** Path of the program that the user named; empty: the one on the PATH. */
  named: string;
  /** How the user can name one, for messages. */
  howToName: string;
}

/** @param problem why it was not read without a tool @throws ReadingError that says both, and what would help */
export async function converted(source: FileSource, problem: string, options: NeuronToolOptions, signal?: AbortSignal): Promise<Converted> {
  const fail = (why: string) => new ReadingError('format', `${problem}. ${why}`, { path: source.path });
  const program = options.named === '' ? onPath() : named(options.named);
  if (!program)
    throw fail(`neuron-explorer or neuron-profile of the Neuron tools may know it: put one on the PATH, or ${options.howToName}`);
  const neff = source.neff ?? neffBeside(source.path);
  if (neff === undefined) {
    const beside = `${path.parse(source.path).name}.neff`;
    throw fail(`${program.tool.name} may know it, but needs its NEFF, which is not there: put it beside the recording as ${beside}`);
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-'));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const { format } = program.tool;
    const output = path.join(folder, format === 'json' ? 'profile.json' : 'profile');
    const files = ['--session-file', path.resolve(source.path), '--neff-path', path.resolve(neff)];
    await run(program.file, ['view', ...files, '--output-format', format, '--output-file', output], folder, signal);
    const found = format === 'json' ? output : tablesIn(output);
    if (found === null || !fs.existsSync(found)) throw new Error('it wrote no profile');
    return { source: { ...source, path: found, neff: undefined, knownAs: source.path }, remove };
  } catch (error) {
    remove();
    if (signal?.aborted) throw new ReadingError('cancelled', 'Cancelled');
    throw fail(`${program.file} was tried: ${(error as Error).message}`);
  }
}

interface Program {
  tool: Tool;
  file: string;
}

const named = (file: string): Program => ({
  tool: TOOLS.find(({ name }) => path.basename(file).startsWith(name)) ?? TOOLS[0],
  file: path.resolve(file),
});

/** Only in absolute folders: a relative one would be looked for where the user happens to work. */
function onPath(): Program | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(folder => path.isAbsolute(folder));
  for (const tool of TOOLS)
    for (const folder of folders) {
      const file = path.join(folder, tool.name);
      if (isProgram(file)) return { tool, file };
    }
  return null;
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** @throws Error with the last thing that it said */
function run(file: string, args: readonly string[], cwd: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd, signal, timeout: TOOL_LIMIT_MS, windowsHide: true }, (error, _, said) => {
      if (!error) return resolve();
      const last = said.trim().slice(-MOST_SAID);
      reject(new Error(error.killed ? `it took longer than ${TOOL_LIMIT_MS / 1000} s` : last || error.message));
    });
  });
}

/** The folder with a profile's tables; null: there is none. */
function tablesIn(folder: string, depth = 0): string | null {
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  if (entries.some(({ name }) => isProfileTable(name))) return folder;
  if (depth === MOST_DEPTH) return null;
  for (const entry of entries) {
    const found = entry.isDirectory() ? tablesIn(path.join(folder, entry.name), depth + 1) : null;
    if (found !== null) return found;
  }
  return null;
}
