/**
 * Worker of `sandbox.test.ts`: what JavaScript finds after the interpreter was started. Each probe is a way to files,
 * processes, sockets or new code; it is open when it gives something.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import vm from 'node:vm';
import workerThreads, { parentPort, workerData } from 'node:worker_threads';
import type { Interpreter } from '../../src/simulator/frontend/interpreter';
import { startInterpreter } from '../../src/simulator/frontend/interpreter';

type Anything = Record<string, (...args: unknown[]) => unknown>;

const { dist, secret } = workerData as { dist: string; secret: string };
const port = parentPort;
const interpreter = (await startInterpreter(dist)) as Interpreter & { _module: Anything; _api: Anything; FS: unknown };
const global = globalThis as unknown as Anything & { process: Anything };
const emscripten = interpreter.FS as unknown as Anything & { filesystems: Anything };
const constructorOf = (f: object) => (Object.getPrototypeOf(f) as { constructor: (text: string) => () => unknown }).constructor;

const probes: Record<string, () => unknown> = {
  eval: () => global.eval('1 + 1'),
  Function: () => (global.Function as unknown as (text: string) => () => unknown)('return 1')(),
  'function constructor': () => constructorOf(() => {})('return 1')(),
  'async function constructor': () => constructorOf(async () => {})('return 1')(),
  'generator constructor': () => constructorOf(function* () {})('return 1')(),
  'async generator constructor': () => constructorOf(async function* () {})('return 1')(),
  'run_script of Emscripten': () => interpreter._module._emscripten_run_script_int?.(0),
  require: () => global.require,
  'process.binding': () => global.process.binding,
  'process.getBuiltinModule': () => global.process.getBuiltinModule,
  'process.mainModule': () => global.process.mainModule,
  'process.dlopen': () => global.process.dlopen,
  'process.kill': () => global.process.kill,
  'process.exit': () => global.process.exit,
  'process.env': () => Object.keys(global.process.env).length,
  fetch: () => global.fetch,
  WebSocket: () => global.WebSocket,
  XMLHttpRequest: () => global.XMLHttpRequest,
  BroadcastChannel: () => global.BroadcastChannel,
  'fs.readFileSync': () => fs.readFileSync(secret),
  'fs.openSync': () => fs.openSync(secret, 'r'),
  'fs.writeFileSync': () => fs.writeFileSync(`${secret}.written`, 'x') === undefined,
  'fs.promises': () => fs.promises.readFile(secret),
  'fs.createReadStream': () => fs.createReadStream(secret),
  'child_process.spawnSync': () => childProcess.spawnSync('id'),
  'child_process.exec': () => childProcess.exec('id'),
  'net.connect': () => net.connect(1),
  'new net.Socket().connect': () => new net.Socket().connect(1),
  'vm.runInThisContext': () => vm.runInThisContext('1'),
  'new vm.Script': () => new vm.Script('1').runInThisContext(),
  'new Worker': () => new workerThreads.Worker('1', { eval: true }),
  createRequire: () => createRequire(import.meta.url)('node:fs'),
  'NODEFS of Emscripten': () => emscripten.filesystems.NODEFS,
  'mounting a host folder': () => emscripten.mount(emscripten.filesystems.NODEFS, { root: '/' }, '/tmp'),
  'loadBinaryFile of Pyodide': () => interpreter._api.loadBinaryFile(secret),
  'sockets of Pyodide': () => interpreter._api.initializeNodeSockFS(),
  'packages of Pyodide': () => (interpreter as unknown as Anything).loadPackage('micropip'),
  'native code in Pyodide': () => interpreter._api.loadDynlib('/tmp/x.so'),
  handles: () =>
    handles().find(value => typeof value === 'function' || (typeof value === 'object' && value && Reflect.ownKeys(value).length > 0)),
};

/** Everything that Python could name in JavaScript when it started. */
function handles(): unknown[] {
  const found: unknown[] = [];
  try {
    for (let k = 0; ; k++) found.push(interpreter._module.__hiwire_get(k));
  } catch {
    return found;
  }
}

async function answer(probe: () => unknown): Promise<string> {
  try {
    const loot = await probe();
    return loot ? `OPEN ${String(loot).slice(0, 80)}` : 'closed';
  } catch (error) {
    return `closed: ${(error as Error).message}`;
  }
}

const answers: Record<string, string> = {};
for (const [name, probe] of Object.entries(probes)) answers[name] = await answer(probe);
port?.postMessage(answers);
