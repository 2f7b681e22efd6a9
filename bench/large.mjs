// Kernels of many instructions in a real VS Code: from having the profile until its timeline is drawn. Packages dist/ first.
// EVENTS=250000,1000000 for other sizes.
import fs from 'node:fs';
import path from 'node:path';
import { hostBench } from './support/hostBench.mjs';
import { median, ms, printTable } from './support/table.mjs';

const bench = await hostBench('large');
if (!bench) process.exit(0);
const results = path.join(bench.out, 'results.json');
fs.rmSync(results, { force: true });
const events = process.env.EVENTS ?? '250000,1000000';
await bench.runInWindow('bench/large.host.ts', { NKI_SCOPE_BENCH_RESULTS: results, NKI_SCOPE_BENCH_EVENTS: events });
const samples = JSON.parse(fs.readFileSync(results, 'utf8'));
const sizes = [...new Set(samples.map(sample => sample.events))];
const row = size => {
  const runs = samples.filter(sample => sample.events === size);
  const of = name => ms(median(runs.map(run => run[name])));
  const megabytes = `${(runs[0].sizeBytes / 1e6).toFixed(1)} MB`;
  const step = name => ms(median(runs.map(run => run.stepsMs[name])));
  const steps = ['received', 'read', 'laidOut', 'rows', 'panels'].map(step);
  return [size.toLocaleString('en'), megabytes, runs.length, of('captured'), of('rows'), of('painted'), ...steps, of('hints')];
};
printTable([
  ['events', 'profile', 'runs', 'command to profile', 'to rows', 'to all', 'received', 'read', 'laid out', 'rows', 'panels', 'to hints'],
  ...sizes.map(row),
]);
