// npm run bench [-- name...]: runs the measurements of bench/, each of which prints a table. Needs a built dist/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { endWithProcess } from './endWithProcess.mjs';
import { root } from './install.mjs';

const names = process.argv.slice(2);
const folder = path.join(root, 'bench');
const benches = fs
  .readdirSync(folder)
  .filter(file => file.endsWith('.mjs') && (names.length === 0 || names.some(name => file.includes(name))));
let failed = 0;
for (const file of benches.sort()) {
  console.log(`\n## ${path.basename(file, '.mjs')}\n`);
  const child = spawn(process.execPath, [path.join(folder, file)], { cwd: root, stdio: 'inherit' });
  const forget = endWithProcess(() => child.kill());
  const [code] = await once(child, 'exit');
  forget();
  if (code !== 0) failed++;
}
process.exit(failed ? 1 : 0);
