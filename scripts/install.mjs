// Puts node_modules in place on a fresh clone, once per lock file. Only node's own modules here: it runs before any install.
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Runs a command, its output on ours; ends this process with a sentence when it fails. */
export function run(command, args, what, options = {}) {
  // npm is a script on Windows, which only a shell starts; Node's own path may hold blanks, which a shell would split at.
  const shell = process.platform === 'win32' && command === 'npm';
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell, ...options });
  if (result.status === 0) return;
  console.error(`${what} failed${result.error ? `: ${result.error.message}` : ` with exit code ${result.status ?? result.signal}`}`);
  process.exit(result.status || 1);
}

export function ensureNode() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major >= 20) return;
  console.error(`NKI Scope needs Node 20 or later to build; this is ${process.version}.`);
  process.exit(2);
}

/** `npm ci` in `folder` unless the lock file is the one installed last. */
export function ensureInstalled(folder = root, flags = []) {
  const lock = crypto
    .createHash('sha256')
    .update(fs.readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(folder, 'node_modules', '.nki-scope-lock');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lock) return false;
  console.error(`Installing packages in ${path.relative(root, folder) || '.'} …`);
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...flags], 'npm ci', { cwd: folder });
  fs.writeFileSync(stamp, lock);
  return true;
}

export function buildAll() {
  run(process.execPath, ['esbuild.mjs'], 'The build');
}
