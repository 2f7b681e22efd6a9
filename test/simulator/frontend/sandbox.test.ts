/**
 * Ways out of the bundled interpreter, each tried for real: as Python that a kernel could contain, and (as if the fence in
 * Python had been climbed) as JavaScript inside the disarmed worker.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import esbuild from 'esbuild';
import { SimulatorClient } from '../../../src/simulator/service/client';
import { testDist } from '../../support/dist';
import { temporaryFolder } from '../../support/temporary';

declare const NKI_SCOPE_ROOT: string;

const SECRET = 'the-secret-of-the-host';
/** Names that the attacks see: paths, and the address of a listening server. */
interface Bait {
  SECRET_FILE: string;
  OUTSIDE: string;
  ROOT: string;
  PORT: number;
}

/** An attack succeeds when it sets `loot` to something true, or leaves a trace on the host. */
const ATTACKS: Record<string, string> = {
  'import js': 'import js; loot = js',
  'from js import process': 'from js import process; loot = process',
  run_js: 'from pyodide.code import run_js; loot = run_js("1 + 1")',
  pyodide_js: 'import pyodide_js; loot = pyodide_js.FS',
  _pyodide_core: 'import _pyodide_core; loot = _pyodide_core.to_js',
  'pyodide.ffi': 'from pyodide.ffi import to_js, create_proxy; loot = to_js([1])',
  'pyodide.http': 'import pyodide.http; loot = pyodide.http.open_url(f"http://127.0.0.1:{PORT}/")',
  micropip: 'import micropip; loot = micropip',
  ctypes: 'import ctypes; loot = ctypes.CDLL(None)',
  _ctypes: 'import _ctypes; loot = _ctypes.dlopen',
  socket: 'import socket; loot = socket.create_connection(("127.0.0.1", PORT))',
  _socket: 'import _socket; s = _socket.socket(); s.connect(("127.0.0.1", PORT)); loot = s',
  urllib: 'import urllib.request; loot = urllib.request.urlopen(f"http://127.0.0.1:{PORT}/").read()',
  'asyncio sockets': 'import asyncio; loot = asyncio.run(asyncio.open_connection("127.0.0.1", PORT))',
  subprocess: 'import subprocess; loot = subprocess.run(["id"])',
  _posixsubprocess: 'import _posixsubprocess; loot = _posixsubprocess',
  'os.system': 'import os; loot = os.system(f"touch {OUTSIDE}/system") == 0',
  'posix.system': 'import posix; loot = posix.system(f"touch {OUTSIDE}/system") == 0',
  'os.popen': 'import os; loot = os.popen("id").read()',
  'os.fork and exec': 'import os; loot = os.fork() or os.execv("/bin/sh", ["sh"])',
  posix_spawn: 'import os; loot = os.posix_spawn("/bin/sh", ["sh", "-c", f"touch {OUTSIDE}/spawn"], {})',
  multiprocessing: 'import multiprocessing as m; p = m.Process(target=print); p.start(); loot = p.pid',
  webbrowser: 'import webbrowser; loot = webbrowser.open("http://example.org")',
  subinterpreter: 'import _interpreters as i; n = i.create(); loot = i.run_string(n, "import js") is None',
  'concurrent.interpreters': 'from concurrent import interpreters; loot = interpreters.create()',
  'reading outside': 'loot = open(SECRET_FILE).read()',
  'reading outside by ..': 'loot = open(ROOT + "/../secret.txt").read()',
  'reading outside by a link': 'loot = open(ROOT + "/link").read()',
  'reading outside by file descriptors': 'import os; loot = b"".join(os.read(fd, 99) for fd in range(3, 64) if _can(os.fstat, fd))',
  'reading outside by copies of file descriptors':
    'import os; loot = b"".join(os.read(os.dup(fd), 99) for fd in range(3, 64) if _can(os.fstat, fd))',
  'reading /proc': 'loot = open("/proc/self/environ").read()',
  'reading /etc': 'loot = open("/etc/passwd").read()',
  'writing outside': 'open(OUTSIDE + "/written", "w").write("x")',
  'writing inside': 'loot = open(ROOT + "/written", "w").write("x")',
  environment: `import os; loot = [v for v in os.environ.values() if "${SECRET}" in v]`,
  'standard input': 'loot = input()',
  'ending the process': 'import os; os._exit(7)',
  'killing the process': 'import os, signal; os.kill(os.getpid(), signal.SIGKILL); loot = True',
  'digging in sys.modules': 'import sys; loot = [n for n, m in sys.modules.items() if type(m).__name__ == "JsProxy"]',
  'the import system without the fence':
    'import sys, importlib.machinery as m; sys.meta_path[:] = [m.BuiltinImporter, m.FrozenImporter, m.PathFinder]; import _pyodide_core; loot = _pyodide_core',
  BuiltinImporter: 'import importlib.machinery as m; loot = m.BuiltinImporter.load_module("_socket")',
  '_imp.create_builtin':
    'import _imp, importlib.util as u, importlib.machinery as m; loot = _imp.create_builtin(m.ModuleSpec("_ctypes", m.BuiltinImporter, origin="built-in"))',
  'handles found with gc': `
import gc
for o in gc.get_objects():
    if type(o).__name__ == "JsProxy":
        loot = loot or getattr(o, "process", None) or getattr(o, "fs", None) or getattr(o, "FS", None)`,
  'handles made with functions found with gc': `
import gc
found = [o for o in gc.get_objects() if type(o).__name__ == "builtin_function_or_method" and o.__name__ in ("to_js", "create_proxy", "create_once_callable")]
for make in found:
    try:
        proxy = make([1] if make.__name__ == "to_js" else print)
    except TypeError:
        continue
    loot = loot or proxy.constructor.constructor("return process")()`,
  'async code from text, with such a handle': `
import gc
found = [o for o in gc.get_objects() if type(o).__name__ == "builtin_function_or_method" and o.__name__ == "create_proxy"]
for make in found:
    loot = loot or make(print).constructor.constructor("return import('node:fs')")()`,
  'the closure of create_builtin': `
import _imp, importlib.machinery as m
make = next(c.cell_contents for c in _imp.create_builtin.__closure__ if "built-in" in repr(c.cell_contents))
core = make(m.ModuleSpec("_pyodide_core", m.BuiltinImporter, origin="built-in"))
loot = core.to_js([1]).constructor.constructor("return process")()`,
  'subclasses of object': `
for c in ().__class__.__base__.__subclasses__():
    g = getattr(getattr(c, "__init__", None), "__globals__", {})
    if "system" in g and c.__module__ == "os":
        loot = g["system"](f"touch {OUTSIDE}/subclass") == 0
    if c.__name__ == "Popen":
        loot = c(["id"])`,
  'globals of frames': `
import sys
f = sys._getframe()
while f:
    for v in list(f.f_globals.values()) + list(f.f_locals.values()):
        if type(v).__name__ == "JsProxy":
            loot = v
    f = f.f_back`,
  'saving a profile outside': 'from nki._record.wire import host; loot = host.call({"call": "saveProfile", "name": OUTSIDE + "/saved"})',
  'native code': 'import _imp, importlib.machinery as m; loot = _imp.create_dynamic(m.ModuleSpec("x", None, origin=ROOT + "/x.so"))',
};

const HARNESS = (bait: Bait) => `
import json
def _can(f, *a):
    try:
        f(*a)
        return True
    except Exception:
        return False
for name, code in json.loads(${JSON.stringify(JSON.stringify(Object.entries(ATTACKS)))}):
    names = {**json.loads(${JSON.stringify(JSON.stringify(bait))}), "loot": None, "_can": _can, "__name__": "attack"}
    try:
        exec(code, names)
        outcome = "ESCAPED " + repr(names["loot"])[:200] if names["loot"] else "nothing"
    except BaseException as error:
        outcome = f"{type(error).__name__}: {error}"
    print("@" + json.dumps([name, outcome]), flush=True)
print("@" + json.dumps(["through", "yes"]))
`;

describe('sandbox', () => {
  const folder = temporaryFolder();
  let dist = '';
  before(async () => {
    dist = await testDist();
  });

  describe('ways out in Python', () => {
    const outcomes = new Map<string, string>();
    let connections = 0;

    before(async () => {
      folder.write('secret.txt', SECRET);
      fs.mkdirSync(folder.path('outside'));
      fs.mkdirSync(folder.path('root'));
      fs.symlinkSync('../secret.txt', folder.path('root/link'));
      const server = http.createServer((_, response) => response.end(SECRET)).on('connection', () => connections++);
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const bait = { SECRET_FILE: folder.path('secret.txt'), OUTSIDE: folder.path('outside'), ROOT: folder.path('root'), PORT: port };
      const file = folder.write('root/attacks.py', HARNESS(bait));
      process.env.NKI_SCOPE_TEST_SECRET = SECRET;
      const client = new SimulatorClient({ dist });
      let printed = '';
      await client.capture({ file, root: folder.path('root') }, { onOutput: text => (printed += text) });
      client.dispose();
      delete process.env.NKI_SCOPE_TEST_SECRET;
      await new Promise(resolve => server.close(resolve));
      for (const line of printed.split('\n')) if (line.startsWith('@')) outcomes.set(...(JSON.parse(line.slice(1)) as [string, string]));
    });

    it('are all tried', () => assert.equal(outcomes.get('through'), 'yes', `the last one tried: ${[...outcomes.keys()].at(-1)}`));

    for (const name of Object.keys(ATTACKS))
      it(`${name}: closed`, () => {
        const outcome = outcomes.get(name);
        assert.ok(outcome, 'it was not tried');
        assert.doesNotMatch(outcome, /^ESCAPED|SyntaxError|NameError/);
      });

    it('leave nothing on the host', () => {
      assert.deepEqual(fs.readdirSync(folder.path('outside')), []);
      assert.deepEqual(fs.readdirSync(folder.path('root')).sort(), ['attacks.py', 'link']);
      assert.equal(connections, 0);
    });

    it('say why, to who asks politely', () =>
      assert.match(outcomes.get('socket')!, /not available in the bundled interpreter.*pythonPath/));
  });

  describe('ways out in JavaScript, once the fence is climbed', () => {
    let answers: Record<string, string> = {};

    before(async () => {
      folder.write('secret.txt', SECRET);
      const probe = path.join(dist, 'probe.mjs');
      await esbuild.build({
        absWorkingDir: NKI_SCOPE_ROOT,
        entryPoints: ['test/support/sandboxProbe.ts'],
        outfile: probe,
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'warning',
      });
      const worker = new Worker(pathToFileURL(probe), { workerData: { dist, secret: folder.path('secret.txt') }, env: {}, execArgv: [] });
      answers = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
      await worker.terminate();
    });

    it('are tried', () => assert.ok(Object.keys(answers).length >= 20, `${Object.keys(answers).length} answers`));

    it('are all closed', () => {
      const open = Object.entries(answers).filter(([, answer]) => answer.startsWith('OPEN'));
      assert.deepEqual(open, []);
    });
  });
});
