// Installs what the workbench tests run on: Chromium, and VS Code's own server out of the npm package `code-server`.
// Nothing is compiled; a second call costs milliseconds.          node test/workbench/setup.mjs
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../../scripts/findChromium.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const server = path.join(here, 'node_modules/code-server/lib/vscode');
const stamp = path.join(here, 'node_modules/.nki-scope-ready');

/** code-server's own install scripts would compile; every binary it needs here is already inside its packages. */
const NPM_OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const CHROMIUM_PACKAGES = ['chromium', 'fonts-dejavu-core'];

/** The server is published for 64-bit Linux; elsewhere the suite runs in a downloaded VS Code (electron.mjs). */
export const serverRunsHere = () => process.platform === 'linux' && process.arch === 'x64';

/** @throws Error that says what to install. */
export function ensureChromium() {
  if (findChromium()) return;
  const byHand = `install it with \`apt-get install ${CHROMIUM_PACKAGES.join(' ')}\`, or set CHROMIUM to the path of a Chrome or Chromium`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error(`No Chromium found: ${byHand}.`);
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...CHROMIUM_PACKAGES]);
  if (!findChromium()) throw new Error(`apt-get brought no Chromium: ${byHand}.`);
}

/** Idempotent: does nothing when the lock file has not changed since the last success. */
export function ensureServer() {
  if (!serverRunsHere())
    throw new Error(`The VS Code server of the tests runs on 64-bit Linux, not on ${process.platform} ${process.arch}.`);
  const wanted = createHash('sha256')
    .update(fs.readFileSync(path.join(here, 'package-lock.json')))
    .digest('hex');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return;
  npm(['ci'], here);
  // The two inner installs that code-server's postinstall would make; locked by the npm-shrinkwrap.json inside the package.
  npm(['install', '--omit=dev'], server);
  npm(['install', '--omit=dev'], path.join(server, 'extensions'));
  fs.writeFileSync(stamp, wanted);
}

/** Package, a file of it, and what comes of its absence. */
const WANTED_PACKAGES = [
  ['bubblewrap', '/usr/bin/bwrap', 'The tests of this wall of the sandbox are pending.'],
  ['python3-distributed', '/usr/lib/python3/dist-packages/distributed/__init__.py', 'The tests of clusters are pending.'],
  ['chromium-headless-shell', '/usr/bin/chromium-headless-shell', 'Tests in a browser take longer.'],
];

function bringPackages() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  const missing = WANTED_PACKAGES.filter(([, file]) => !fs.existsSync(file));
  const told = (args, without) => {
    try {
      run('apt-get', args);
    } catch (error) {
      console.error(`${error.message} ${without}`);
    }
  };
  if (missing.length > 0) told(['update', '-qq'], 'Packages are looked for in the lists that are here.');
  for (const [name, , without] of missing) told(['install', '-y', '-qq', '--no-install-recommends', name], without);
}

/** @returns the path of the browser */
export function setup() {
  ensureServer();
  ensureChromium();
  bringPackages();
  return findChromium();
}

const npm = (args, cwd) => run('npm', [...args, ...NPM_OPTIONS], cwd);

function run(command, args, cwd = here) {
  // Output goes to standard error: standard output belongs to the test report.
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (error) throw new Error(`${command} could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`\`${command} ${args.join(' ')}\` in ${cwd} ended with ${status}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(`ready, browser ${setup()}`);
