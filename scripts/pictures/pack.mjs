// Fewer colours and bytes for pictures that are stored. pngquant and optipng are Debian packages of these names.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Prints the size that the picture has then. @throws Error that says what to install: unpacked pictures are too large for the package */
export function pack(file) {
  // its exit code also says that the picture could not become smaller
  run('pngquant', ['--force', '--skip-if-larger', '--ext', '.png', '--quality', '70-95', '128', file]);
  run('optipng', ['-quiet', '-o2', file]);
  console.log(`${path.basename(file, '.png')}  ${Math.round(fs.statSync(file).size / 1000)} kB`);
}

/** Before pictures are taken, which takes minutes. @throws Error that says what to install */
export function checkPackers() {
  for (const program of ['pngquant', 'optipng']) run(program, ['--version']);
}

function run(program, args) {
  const { error } = spawnSync(program, args);
  if (error) throw new Error(`${program}: ${error.code === 'ENOENT' ? `not found; apt-get install ${program}` : error.message}`);
}
