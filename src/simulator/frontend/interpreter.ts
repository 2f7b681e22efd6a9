/**
 * The bundled interpreter (Pyodide) from its start-up snapshot, fenced and disarmed. One place knows how Pyodide is loaded;
 * `scripts/snapshot.mjs` makes the snapshot and says what it holds.
 */
import fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Disarmable, disarm } from './disarm';
import type { EmscriptenFs } from './emscripten';
import { FENCE } from './fence';
import { mountReadOnly } from './readOnlyFs';

export interface Interpreter extends Disarmable {
  FS: EmscriptenFs;
  runPython(code: string): unknown;
  setInterruptBuffer(buffer: Uint8Array): void;
  setStdin(options: { stdin: () => null }): void;
  setStdout(options: { write(bytes: Uint8Array): number }): void;
  setStderr(options: { write(bytes: Uint8Array): number }): void;
}

type LoadPyodide = (options: Record<string, unknown>) => Promise<Interpreter>;

/** What `scripts/snapshot.mjs` says of the snapshot it made. */
interface Start {
  /** Pyodide's list of packages: none. */
  lockFile: object;
  /** Folder in `dist` -> folder the interpreter imports from: on sys.path in the snapshot. */
  folders: [from: string, to: string][];
}

/** @param dist host path of the build, with `pyodide/`, `python/` and `standins/` */
export async function startInterpreter(dist: string): Promise<Interpreter> {
  const folder = path.join(dist, 'pyodide');
  const [module, snapshot, start] = await Promise.all([
    import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href) as Promise<{ loadPyodide: LoadPyodide }>,
    fs.readFile(path.join(folder, 'snapshot.bin')),
    fs.readFile(path.join(folder, 'start.json'), 'utf8').then(text => JSON.parse(text) as Start),
  ]);
  const stdin = () => null;
  const interpreter = await module.loadPyodide({
    indexURL: folder,
    _loadSnapshot: snapshot,
    lockFileContents: JSON.stringify(start.lockFile),
    stdin,
  });
  for (const [from, to] of start.folders) mountReadOnly(interpreter.FS, { folder: path.join(dist, from), overlay: new Map() }, to);
  interpreter.runPython(FENCE);
  disarm(interpreter);
  return interpreter;
}
