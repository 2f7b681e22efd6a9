// npm run bench [-- name...]: runs the measurements of bench/, each of which prints a table. Needs a built dist/.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';

const names = process.argv.slice(2);
const folder = path.join(root, 'bench');
const benches = fs
  .readdirSync(folder)
  .filter(file => file.endsWith('.mjs') && (names.length === 0 || names.some(name => file.includes(name))));
let failed = 0;
for (const file of benches.sort()) {
  console.log(`\n## ${path.basename(file, '.mjs')}\n`);
  if (spawnSync(process.execPath, [path.join(folder, file)], { cwd: root, stdio: 'inherit' }).status !== 0) failed++;
}
process.exit(failed ? 1 : 0);
