/**
 * The bundled interpreter (Pyodide) from its start-up snapshot, behind the walls of `sandbox/`. Only this file loads Pyodide.
 * `scripts/snapshot.mjs` makes the snapshot and describes its content.
 */
import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EmscriptenFs } from './emscripten';
import { mountReadOnly } from './readOnlyFs';
import { type EmscriptenMemory, removeBuiltinModules } from './sandbox/builtinModules';
import { type Disarmable, disarm } from './sandbox/disarm';
import { ImportGate } from './sandbox/imports';
import { freezeIntrinsics } from './sandbox/intrinsics';
import { FENCE, isDenied } from './sandbox/pythonFence';

export interface Interpreter extends Disarmable {
  FS: EmscriptenFs;
  _module: Disarmable['_module'] & CApi & EmscriptenMemory;
  setInterruptBuffer(buffer: Uint8Array): void;
  setStdin(options: { stdin: () => null }): void;
  setStdout(options: { write(bytes: Uint8Array): number }): void;
  setStderr(options: { write(bytes: Uint8Array): number }): void;
}

/** The C functions that are used. Pyodide's own API to run Python would need proxies. */
interface CApi {
  stringToNewUTF8(text: string): number;
  _free(address: number): void;
  /** 0, or -1 after an exception, which it has printed. */
  _PyRun_SimpleString(code: number): number;
  _emscripten_stack_get_current(): number;
  __emscripten_stack_restore(stack: number): void;
  _malloc(bytes: number): number;
  _PyGILState_Ensure(): number;
}

/** The walls inside a kernel's thread. Tests switch some off to test the others alone. */
export const WALLS = ['python', 'imports', 'intrinsics', 'modules'] as const;
export type Wall = (typeof WALLS)[number];

type LoadPyodide = (options: Record<string, unknown>) => Promise<Interpreter>;

/** The data that `scripts/snapshot.mjs` writes about its snapshot. */
interface Start {
  /** Pyodide's list of packages: none. */
  lockFile: object;
  /** Folder in `dist` -> folder the interpreter imports from: on sys.path in the snapshot. */
  folders: [from: string, to: string][];
}

/** @param dist host path of the build, with `pyodide/`, `python/` and `standins/` */
export async function startInterpreter(dist: string, walls: readonly Wall[] = WALLS): Promise<Interpreter> {
  const folder = path.join(dist, 'pyodide');
  const [module, snapshot, start] = await Promise.all([
    import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href) as Promise<{ loadPyodide: LoadPyodide }>,
    fs.readFile(path.join(folder, 'snapshot.bin')),
    fs.readFile(path.join(folder, 'start.json'), 'utf8').then(text => JSON.parse(text) as Start),
  ]);
  giveConstants();
  const gate = new ImportGate();
  const interpreter = await gate.around(() =>
    module.loadPyodide({
      indexURL: folder,
      _loadSnapshot: snapshot,
      lockFileContents: JSON.stringify(start.lockFile),
      stdin: () => null,
    }),
  );
  for (const [from, to] of start.folders) mountReadOnly(interpreter.FS, { folder: path.join(dist, from), overlay: new Map() }, to);
  if (walls.includes('python')) {
    if (!runPython(interpreter, FENCE)) throw new Error('the fence in Python failed');
    if (removeBuiltinModules(interpreter._module, isDenied) === 0) throw new Error('no built-in module was taken out of the interpreter');
  }
  if (walls.includes('modules')) disarm(interpreter);
  if (walls.includes('imports')) gate.close();
  if (walls.includes('intrinsics')) freezeIntrinsics([path, path.posix, path.win32, Buffer]);
  return interpreter;
}

/**
 * Emscripten reads the values of file flags from Node in a way that Node's permission model refuses. This gives it the values, which are
 * not secret.
 */
function giveConstants() {
  Object.defineProperty(process, 'binding', { value: () => ({ fs: constants }), configurable: true });
}

/** Runs code in `__main__`. @returns false after an exception, which Python has printed. */
export function runPython({ _module }: Interpreter, code: string): boolean {
  const text = _module.stringToNewUTF8(code);
  const status = _module._PyRun_SimpleString(text);
  _module._free(text);
  return status === 0;
}
