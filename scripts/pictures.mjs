// Takes the pictures of README, walkthrough and documentation anew: node scripts/pictures.mjs [readme|walkthrough|minute|fix|page [NAME]|gallery [REGEXP [THEME]]]
// `minute` takes the frames of the animated picture and joins them; `fix` is a quick fix in the editor; `page` takes those of the page (or the one
// NAME), in a browser alone; `gallery` those of out/gallery/: each state in each theme (or that one: dark, light, contrast) and at two
// sizes, to be looked at after a change.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../bench/support/build.mjs';
import { hostBench } from '../bench/support/hostBench.mjs';
import { joinPngs } from './apng.mjs';
import { checkPackers, pack } from './pictures/pack.mjs';
import { takePagePictures } from './pictures/page.mjs';

if (process.argv[2] !== 'gallery') checkPackers();
const host = process.argv[2] === 'page' ? undefined : await hostBench('pictures');
if (process.argv[2] === 'page') await takePagePictures(process.argv[3]);
if (host && process.argv[2] === 'gallery') await takeGallery();
else if (host) {
  const { takePictures } = await host.load('test/workbench/pictures.ts');
  const kernel = path.join(root, 'examples/nki/softmax.py');
  const begunMs = Date.now();
  await takePictures({ vsix: host.vsix, log: host.log, kernel, out: path.join(root, 'media'), only: process.argv[2] });
  for (const file of picturesSince(begunMs)) pack(file);
  if (process.argv[2] === 'minute') joinFrames();
}

async function takeGallery() {
  const { takeGallery: take } = await host.load('test/workbench/gallery.ts');
  const kernels = ['matmul_tiled', 'softmax', 'two_cores', 'four_ranks'].map(name => path.join(root, `examples/nki/${name}.py`));
  kernels.push(...['late_ranks', 'chosen_blocks'].map(name => path.join(root, `scripts/pictures/${name}.py`)));
  const only = process.argv[3] && new RegExp(process.argv[3]);
  await take({ vsix: host.vsix, log: host.log, kernels, out: path.join(root, 'out/gallery'), only, theme: process.argv[4] });
}

function picturesSince(timeMs) {
  const folders = ['media/screenshots', 'media/walkthrough'].map(name => path.join(root, name));
  const all = folders.flatMap(folder => fs.readdirSync(folder).map(name => path.join(folder, name)));
  return all.filter(file => file.endsWith('.png') && fs.statSync(file).mtimeMs >= timeMs);
}

/** Each frame for three seconds. */
function joinFrames() {
  const frames = path.join(root, 'out/first-minute');
  const files = fs
    .readdirSync(frames)
    .sort()
    .map(name => fs.readFileSync(path.join(frames, name)));
  fs.writeFileSync(path.join(root, 'media/screenshots/first-minute.png'), joinPngs(files, 3000));
}
