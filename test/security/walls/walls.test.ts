/**
 * The walls inside a kernel's thread, each alone with the others taken down. Every attack is tried without any wall first: there it must
 * get something, or it would prove nothing.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import esbuild from 'esbuild';
import type { Wall } from '../../../src/simulator/frontend/interpreter';
import { testDist } from '../../support/dist';
import type { WallAnswer, WallTask } from './wallWorker';

declare const NKI_SCOPE_ROOT: string;

/** Ways to JavaScript, native code and the network: none is left open by the imports that stay. */
const OUTWARDS: Record<string, string> = {
  'run_js of Pyodide': 'from pyodide.code import run_js; loot = run_js("1 + 1")',
  'the globals of JavaScript': 'import js; loot = js.Object.name',
  to_js: 'from pyodide.ffi import to_js; loot = to_js([1]).length',
  create_proxy: 'from pyodide.ffi import create_proxy; loot = create_proxy(print).toString()',
  'the module of Pyodide': 'import pyodide_js; loot = pyodide_js.version',
  'symbols of the module': 'import _ctypes; loot = _ctypes.dlsym(_ctypes.dlopen(None, 2), "getpid")',
  sockets: 'import _socket; loot = _socket.socket()',
};

/** Python's objects that make proxies, or are some. */
const MAKERS = `
import gc, types
roots = ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "jsfinder")
seen, todo, found = {}, gc.get_objects(), set()
while todo:
    value = todo.pop()
    if id(value) in seen:
        continue
    seen[id(value)] = value
    if type(value) is types.BuiltinFunctionType and str(value.__module__).partition(".")[0] in roots:
        found.add(value.__name__)
    elif type(value).__name__ == "JsProxy":
        found.add("JsProxy")
    todo.extend(gc.get_referents(value))
loot = sorted(found)`;

describe('each wall alone', () => {
  let [dist, worker] = ['', ''];

  before(async () => {
    dist = await testDist();
    worker = path.join(dist, 'wallWorker.mjs');
    await esbuild.build({
      entryPoints: [path.join(NKI_SCOPE_ROOT, 'test/security/walls/wallWorker.ts')],
      outfile: worker,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
  });

  const behind = (walls: Wall[], attack?: string) =>
    new Promise<WallAnswer>((resolve, reject) => {
      const thread = new Worker(pathToFileURL(worker), {
        workerData: { dist, walls, attack } satisfies WallTask,
        stdout: true,
        stderr: true,
      });
      thread.on('message', resolve).on('error', reject);
      thread.on('exit', code => reject(new Error(`the worker ended with ${code} and no answer`)));
    });

  describe('the imports of the WebAssembly module', () => {
    for (const [name, attack] of Object.entries(OUTWARDS))
      it(name, async () => {
        assert.notEqual((await behind([], attack)).loot, '', 'without a wall there is nothing to get');
        const { loot, refused } = await behind(['imports'], attack);
        assert.equal(loot, '');
        assert.match(refused, /ImportRefused: \w+ is closed to kernels/);
      });
  });

  it('Python’s objects: none makes a proxy', async () => {
    assert.match((await behind([], MAKERS)).loot, /'JsProxy'.*'create_proxy'.*'to_js'/);
    const { loot, works } = await behind(['python'], MAKERS);
    assert.equal(loot, '');
    assert.ok(works);
  });

  it('the objects of the language: none can be changed, and Python runs', async () => {
    assert.ok((await behind([])).changeable.includes('Array.prototype.reverse'));
    const { changeable, works } = await behind(['intrinsics']);
    assert.deepEqual(changeable, []);
    assert.ok(works);
  });
});
