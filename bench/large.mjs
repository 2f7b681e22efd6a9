// Kernels of many instructions in a real VS Code: from having the profile until its timeline is drawn. Packages dist/ first.
// EVENTS=250000,1000000 for other sizes. NKI_SCOPE_BENCH_BEFORE names another package of the extension, whose window comes first in each of
// NKI_SCOPE_BENCH_WINDOWS rounds (1).
import fs from 'node:fs';
import path from 'node:path';
import { hostBench } from './support/hostBench.mjs';
import { median, ms, printTable } from './support/table.mjs';

const bench = await hostBench('large');
if (!bench) process.exit(0);
const events = process.env.EVENTS ?? '250000,1000000';
const before = process.env.NKI_SCOPE_BENCH_BEFORE;
const packages = [...(before ? [{ name: ' before', vsix: before }] : []), { name: before ? ' after' : '', vsix: bench.vsix }];

const samples = [];
for (let i = 0; i < Number(process.env.NKI_SCOPE_BENCH_WINDOWS ?? 1); i++)
  for (const { name, vsix } of packages) {
    const results = path.join(bench.out, 'results.json');
    fs.rmSync(results, { force: true });
    await bench.runInWindow('bench/large.host.ts', { NKI_SCOPE_BENCH_RESULTS: results, NKI_SCOPE_BENCH_EVENTS: events }, vsix);
    samples.push(...JSON.parse(fs.readFileSync(results, 'utf8')).map(sample => ({ ...sample, name })));
  }

const sizes = [...new Set(samples.map(sample => sample.events))];
const row = (size, name) => {
  const runs = samples.filter(sample => sample.events === size && sample.name === name);
  const of = name => ms(median(runs.map(run => run[name])));
  const megabytes = `${(runs[0].sizeBytes / 1e6).toFixed(1)} MB`;
  const step = of => ms(median(runs.map(run => run.stepsMs[of] ?? 0)));
  const steps = ['received', 'read', 'laidOut', 'rows', 'slices', 'panels'].map(step);
  return [`${size.toLocaleString('en')}${name}`, megabytes, runs.length, of('captured'), of('rows'), of('painted'), ...steps, of('hints')];
};
printTable([
  [
    'events',
    'profile',
    'runs',
    'command to profile',
    'to rows',
    'to all',
    'received',
    'read',
    'laid out',
    'rows',
    'slices',
    'panels',
    'to hints',
  ],
  ...sizes.flatMap(size => packages.map(({ name }) => row(size, name))),
]);
