// Fewer colours and bytes for pictures that are stored, where pngquant and optipng are installed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Prints the size that the picture has then. */
export function pack(file) {
  spawnSync('pngquant', ['--force', '--skip-if-larger', '--ext', '.png', '--quality', '70-95', '128', file]);
  spawnSync('optipng', ['-quiet', '-o2', file]);
  console.log(`${path.basename(file, '.png')}  ${Math.round(fs.statSync(file).size / 1000)} kB`);
}
