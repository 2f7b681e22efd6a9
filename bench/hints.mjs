// Of the hot lines of eight kernels, in a real VS Code beside the timeline: how many have a mark in sight? Packages dist/ first.
import path from 'node:path';
import { root } from './support/build.mjs';
import { hostBench } from './support/hostBench.mjs';
import { printTable } from './support/table.mjs';

const KERNELS = [
  'examples/nki/softmax.py',
  'examples/nki/matmul_tiled.py',
  'examples/nki/two_cores.py',
  'examples/nki/average_pool.py',
  'examples/nki/transpose_2d.py',
  'examples/neuronxcc/rmsnorm.py',
  'examples/agents/slow_matmul.py',
  'test/workbench/fixture/long_lines.py',
];

const bench = await hostBench('hints');
if (!bench) process.exit(0);
const { marksInSight } = await bench.load('bench/hints.drive.ts');
const rows = await marksInSight(
  bench.vsix,
  bench.log,
  KERNELS.map(file => path.join(root, file)),
);
const sums = [...new Set(rows.map(row => row.widthPx))].map(px => [px, rows.filter(row => row.widthPx === px)]);
const sum = (some, of) => some.reduce((total, row) => total + row[of], 0);
printTable([
  ['kernel', 'width', 'hot lines', 'number in the gutter', 'share at the line’s end', 'whole hint at the line’s end'],
  ...rows.map(row => [row.kernel, row.widthPx, row.hot, row.numbers, row.shares, row.whole]),
  ...sums.map(([px, some]) => ['all', px, sum(some, 'hot'), sum(some, 'numbers'), sum(some, 'shares'), sum(some, 'whole')]),
]);
