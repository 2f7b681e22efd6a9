// In a real VS Code: from an edit until the hints are those of the edit, the longest time the extension host is busy at a stretch
// meanwhile, and drawing the hints of a kernel of 2,000 lines. Packages dist/ first.
import fs from 'node:fs';
import path from 'node:path';
import { hostBench } from './support/hostBench.mjs';
import { median, ms, printTable } from './support/table.mjs';

const bench = await hostBench('editor');
if (!bench) process.exit(0);
const results = path.join(bench.out, 'results.json');
fs.rmSync(results, { force: true });
await bench.runInWindow('bench/editor.host.ts', { NKI_SCOPE_BENCH_RESULTS: results });
if (!fs.existsSync(results)) throw new Error('the window left no results: its extension host ended');
const { refreshMs, longestTaskMs, longestTaskCpuMs, drawMs, drawCpuMs, drawnLines, activationMs, stoppedAt } = JSON.parse(
  fs.readFileSync(results, 'utf8'),
);
const row = (name, samples) => {
  if (samples.length === 0) return [name, 0, '-', '-'];
  return [name, samples.length, ms(median(samples)), `${ms(Math.min(...samples))} – ${ms(Math.max(...samples))}`];
};
printTable([
  ['in the editor', 'runs', 'median', 'range'],
  row('edit to refreshed hints, exp 250x512', refreshMs),
  row('longest task in the extension host meanwhile', longestTaskMs),
  row('the same in CPU time', longestTaskCpuMs),
  row(`hints drawn on ${drawnLines} lines`, drawMs),
  row('the same in CPU time', drawCpuMs),
  row('activate()', [activationMs]),
]);
if (stoppedAt) {
  console.log(`\nstopped at: ${stoppedAt}`);
  process.exitCode = 1;
}
