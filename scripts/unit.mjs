// Bundles the unit tests whose path contains any of the given words and runs them with mocha. Without words and --grep: all but the long ones.
// node scripts/unit.mjs [--chromium] [--all] [word]... [-- mocha options]
// --chromium: the tests that drive a browser instead     --all: the long ones, too
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { WITHOUT_LONG_WORDS } from './longTests.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const split = process.argv.indexOf('--');
const given = process.argv.slice(2, split < 0 ? undefined : split);
const words = given.filter(word => !word.startsWith('--'));
const mochaOptions = split < 0 ? [] : process.argv.slice(split + 1);
const namesTests = words.length > 0 || mochaOptions.some(option => /^(-g|-f|--f?grep)(=|$)/.test(option));
const leftOut = namesTests || given.includes('--all') ? [] : WITHOUT_LONG_WORDS;

const ROOMS = given.includes('--chromium')
  ? ['test/chromium']
  : ['test/simulator', 'test/functions', 'test/webview', 'test/extension', 'test/cli', 'test/security', 'test/contributing', 'test'];

/** Test files of these rooms; `test/workbench` has a runner of its own. */
function testFiles() {
  return ROOMS.flatMap(room => {
    const folder = path.join(root, room);
    if (!fs.existsSync(folder)) return [];
    const recursive = room !== 'test';
    return fs
      .readdirSync(folder, { recursive })
      .map(String)
      .filter(name => name.endsWith('.test.ts'))
      .map(name => path.join(room, name));
  });
}

const tests = testFiles().filter(name => words.length === 0 || words.some(word => name.includes(word)));
if (tests.length === 0) {
  console.error(`no test file matches ${words.join(' ')}`);
  process.exit(2);
}
const outdir = path.join(root, 'out', `unit-${process.pid}`);
await esbuild.build({
  absWorkingDir: root,
  entryPoints: tests,
  outdir,
  outbase: 'test',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  splitting: true,
  sourcemap: 'inline',
  outExtension: { '.js': '.mjs' },
  define: { NKI_SCOPE_ROOT: JSON.stringify(root) },
  logLevel: 'warning',
});
const run = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    path.join(root, 'node_modules/mocha/bin/mocha.js'),
    '--recursive',
    '--extension',
    'mjs',
    outdir,
    ...leftOut,
    ...mochaOptions,
  ],
  // what commands remember for the user is not to be of tests
  { stdio: 'inherit', cwd: root, env: { ...process.env, XDG_CACHE_HOME: path.join(outdir, 'cache') } },
);
fs.rmSync(outdir, { recursive: true, force: true });
process.exit(run.status ?? 1);
