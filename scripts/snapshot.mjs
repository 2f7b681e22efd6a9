// Makes dist/pyodide: the files of Pyodide that a run needs, and the start-up snapshot of its interpreter with our packages and
// what they import already in memory. node scripts/snapshot.mjs [DIST]; skipped when nothing it is made from has changed.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const pyodide = path.dirname(createRequire(import.meta.url).resolve('pyodide'));
const FILES = ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip'];

/** Folder in dist -> where the interpreter imports from. Told to src/simulator/frontend/interpreter.ts by start.json. */
const PYTHON_FOLDERS = [
  ['python', '/nki-scope/python'],
  ['standins', '/nki-scope/standins'],
];

/** In memory from the first moment on. Modules that a run or a usual kernel file needs; each costs snapshot size. */
const STDLIB =
  'abc ast array base64 collections contextlib copy dataclasses difflib enum functools hashlib inspect io itertools json linecache math ' +
  'operator os random re struct sys textwrap time traceback types typing warnings argparse pathlib logging statistics numbers fractions';

/** Our own packages: whatever of them is there. */
const OURS =
  'nki nki.isa nki.language nki.typing nki._record.launch.run neuronxcc neuronxcc.nki neuronxcc.nki.isa neuronxcc.nki.language neuronxcc.nki.typing ' +
  'numpy torch jax jax.numpy ml_dtypes';

const prepare = modules => `
import importlib, sys
sys.dont_write_bytecode = True
sys.path[:] = ${JSON.stringify(PYTHON_FOLDERS.map(([, to]) => to))} + [p for p in sys.path if p]
for name in ${JSON.stringify(modules)}:
    importlib.import_module(name)
del importlib, name
`;

/** What Python calls itself; else the path of whoever builds. */
const EXECUTABLE = 'python';

/** Fixed, so that sets and dicts of strings have one order in every capture. HOME and the working folder are in memory. */
const ENVIRONMENT = { PYTHONHASHSEED: '0', HOME: '/tmp', NKI_SCOPE_HOST_DEVICE: '/dev/nki' };

/** `dist/python` must be there. Gives true when it made a new snapshot. */
export async function buildSnapshot(dist) {
  const out = path.join(dist, 'pyodide');
  fs.mkdirSync(out, { recursive: true });
  copyStandins(dist);
  const sources = PYTHON_FOLDERS.flatMap(([from, to]) =>
    pythonFiles(path.join(dist, from)).map(name => [path.join(dist, from, name), `${to}/${name}`]),
  );
  const stamp = hashOf(sources);
  const stampFile = path.join(out, 'snapshot.sha256');
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) return false;
  for (const name of FILES) fs.copyFileSync(path.join(pyodide, name), path.join(out, name));
  const { info } = JSON.parse(fs.readFileSync(path.join(pyodide, 'pyodide-lock.json'), 'utf8'));
  const lockFile = { info, packages: {} };
  fs.writeFileSync(path.join(out, 'start.json'), JSON.stringify({ lockFile, folders: PYTHON_FOLDERS }));
  // the stamp last: what was interrupted is made again
  writeWhole(path.join(out, 'snapshot.bin'), await makeSnapshot(sources, JSON.stringify(lockFile)));
  writeWhole(stampFile, stamp);
  return true;
}

/** Never seen half written: another build or a running worker may read it now. */
function writeWhole(file, content) {
  fs.writeFileSync(`${file}.${process.pid}`, content);
  fs.renameSync(`${file}.${process.pid}`, file);
}

function copyStandins(dist) {
  const to = path.join(dist, 'standins');
  fs.rmSync(to, { recursive: true, force: true });
  fs.mkdirSync(to, { recursive: true });
  const from = path.join(root, 'src/simulator/frontend/python/standins');
  for (const name of pythonFiles(from)) {
    fs.mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    fs.copyFileSync(path.join(from, name), path.join(to, name));
  }
}

/** Everything an import needs, with `/` in names, in one order on every machine. */
function pythonFiles(folder) {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true }).map(name => String(name).replaceAll(path.sep, '/'));
  return names.filter(name => /\.(py|json)$/.test(name) && !name.includes('__pycache__')).sort();
}

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const file of [fileURLToPath(import.meta.url), path.join(pyodide, 'package.json')]) hash.update(fs.readFileSync(file));
  for (const [file, name] of sources) hash.update(`\0${name}\0`).update(fs.readFileSync(file));
  return hash.digest('hex');
}

async function makeSnapshot(sources, lockFileContents) {
  const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, 'pyodide.mjs')).href);
  const interpreter = await loadPyodide({
    indexURL: pyodide,
    _makeSnapshot: true,
    env: ENVIRONMENT,
    _sysExecutable: EXECUTABLE,
    lockFileContents,
  });
  for (const [, to] of PYTHON_FOLDERS) interpreter.FS.mkdirTree(to);
  for (const [file, name] of sources) {
    interpreter.FS.mkdirTree(path.posix.dirname(name));
    interpreter.FS.writeFile(name, fs.readFileSync(file));
  }
  const names = new Set(sources.map(([, name]) => name));
  const isThere = module =>
    PYTHON_FOLDERS.some(([, to]) => ['.py', '/__init__.py'].some(end => names.has(`${to}/${module.replaceAll('.', '/')}${end}`)));
  interpreter.runPython(prepare([...STDLIB.split(' '), ...OURS.split(' ').filter(isThere)]));
  return interpreter.makeMemorySnapshot();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const dist = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
  console.log((await buildSnapshot(dist)) ? 'made a new start-up snapshot' : 'the start-up snapshot is up to date');
}
