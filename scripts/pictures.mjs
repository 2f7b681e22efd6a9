// Takes the pictures of README and walkthrough anew: node scripts/pictures.mjs [readme|walkthrough]
import path from 'node:path';
import { root } from '../bench/support/build.mjs';
import { hostBench } from '../bench/support/hostBench.mjs';

const host = await hostBench('pictures');
if (host) {
  const { takePictures } = await host.load('test/workbench/pictures.ts');
  const kernel = path.join(root, 'examples/nki/softmax.py');
  await takePictures({ vsix: host.vsix, log: host.log, kernel, out: path.join(root, 'media'), only: process.argv[2] });
}
