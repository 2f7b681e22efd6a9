/**
 * Second wall, the other half of `intrinsics.ts`: removes the functions that act on the machine from the thread of the bundled
 * interpreter, after its start. Code that gets a JavaScript object then cannot use it:
 * - every JavaScript object to which Python had a handle is replaced by an empty object;
 * - no text becomes code: `eval` and the function constructors are removed, so code can follow object references, but cannot define
 *   functions;
 * - the modules that touch files, processes, sockets and threads are emptied (each thread has its own instances), `process` and the
 * globals lose the functions that act on the machine, and Emscripten loses its host file systems. It is not a boundary of the operating
 * system. The process of this thread is (`service/sandbox/`).
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import nodeModule, { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import vm from 'node:vm';
import workerThreads from 'node:worker_threads';

/** The internals of Pyodide that this file uses. */
export interface Disarmable {
  _module: { __hiwire_get(handle: number): unknown; __hiwire_set(handle: number, value: unknown): number };
  FS: { filesystems: Record<string, unknown> };
  _api: Record<string, unknown>;
}

/**
 * Every module that Pyodide's code can name and that acts on the machine, and what their objects do. Other modules would need a `require`
 * or `import` as text, and text is no longer run.
 */
const EMPTIED: readonly object[] = [
  [childProcess, childProcess.ChildProcess.prototype, fs, fs.promises, nodeModule],
  [net, net.Socket.prototype, net.Server.prototype, tls, vm, vm.Script.prototype, workerThreads],
].flat();

const GLOBALS = [
  ...['eval', 'require', 'module', 'exports', 'importScripts', 'fetch', 'Request', 'WebSocket', 'EventSource', 'XMLHttpRequest'],
  ...['Worker', 'SharedWorker', 'BroadcastChannel', 'MessageChannel', 'navigator', 'localStorage', 'sessionStorage', 'postMessage'],
];

/** Pyodide's own calls that load code, packages or sockets. */
const API_CALLS = ['loadBinaryFile', 'initializeNodeSockFS', 'loadDynlib', 'loadPackage', 'install', 'packageManager', 'abortSignalAny'];

export function disarm(pyodide: Disarmable) {
  replaceHandles(pyodide._module);
  for (const name of Object.keys(pyodide.FS.filesystems)) if (name !== 'MEMFS') delete pyodide.FS.filesystems[name];
  for (const name of API_CALLS) pyodide._api[name] = refuse;
  forbidCodeFromText();
  for (const target of EMPTIED) emptyModule(target);
  syncBuiltinESMExports();
  for (const name of GLOBALS) takeAway(globalThis, name);
  emptyProcess();
}

function refuse(): never {
  throw new Error('not available to kernels');
}

/** Handles count up from 0; the first unused one throws. */
function replaceHandles(module: Disarmable['_module']) {
  const nothing = Object.freeze(Object.create(null));
  for (let handle = 0; ; handle++) {
    let value: unknown;
    try {
      value = module.__hiwire_get(handle);
    } catch {
      return;
    }
    if (value !== null && (typeof value === 'object' || typeof value === 'function')) module.__hiwire_set(handle, nothing);
  }
}

function forbidCodeFromText() {
  const kinds = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const kind of kinds) {
    const prototype = Object.getPrototypeOf(kind);
    Object.defineProperty(prototype, 'constructor', { value: refuse, writable: false, configurable: false });
  }
  // Pyodide still evaluates `x instanceof Function`
  const nominal = Object.assign(() => refuse(), { prototype: Function.prototype });
  Object.defineProperty(globalThis, 'Function', { value: nominal, writable: false, configurable: false });
}

function emptyModule(target: object) {
  for (const key of Object.getOwnPropertyNames(target)) {
    const property = Object.getOwnPropertyDescriptor(target, key);
    if (key === 'constructor' || !property?.configurable || !('value' in property ? typeof property.value === 'function' : property.get))
      continue;
    Object.defineProperty(target, key, { value: refuse, enumerable: property.enumerable, configurable: false, writable: false });
  }
}

function takeAway(target: object, name: string) {
  if (Object.hasOwn(target, name) && !Reflect.deleteProperty(target, name)) Reflect.set(target, name, undefined);
  // inherited properties are hidden, and no value can be set under the name
  if (!Object.hasOwn(target, name)) Object.defineProperty(target, name, { value: undefined, writable: false, configurable: false });
}

/** Emscripten still reads the platform and version. All functions are removed, from the real object too. */
function emptyProcess() {
  const { versions, platform, version, argv } = process;
  const real: object = process;
  for (const key of [
    'binding',
    '_linkedBinding',
    'dlopen',
    'getBuiltinModule',
    'mainModule',
    'kill',
    '_kill',
    'exit',
    'reallyExit',
    'abort',
  ].concat(['chdir', 'report', 'openStdin', 'loadEnvFile', 'setUncaughtExceptionCaptureCallback', 'permission', 'send', 'stdin']))
    takeAway(real, key);
  const left = Object.freeze({
    versions,
    version,
    platform,
    argv: argv.slice(0, 1),
    env: Object.freeze({}),
    umask: () => 0o22,
    getuid: () => 0,
  });
  Object.defineProperty(globalThis, 'process', { value: left, writable: false, configurable: false });
}
