// Instructions recorded per second: a kernel of 200,000 instructions in a Python loop, from source to profile.
import path from 'node:path';
import { dist, simulator } from './support/build.mjs';
import { kernelFile, longLoop } from './support/kernels.mjs';
import { count, median, mib, ms, peakRss, printTable } from './support/table.mjs';

const RUNS = 3;
const SIZES = [20_000, 200_000];

const { SimulatorClient, decodeProfile } = await simulator();
const rows = [['program instructions', 'in the profile', 'recorded/s', 'trace', 'compile', 'schedule', 'total', 'peak RSS']];
for (const size of SIZES) {
  const file = kernelFile('long_loop.py', longLoop(size));
  const samples = [];
  for (let run = 0; run < RUNS; run++) {
    const client = new SimulatorClient({ dist });
    const result = await client.capture({ file, root: path.dirname(file), target: 'trn2', numerics: 'off' });
    client.dispose();
    if (result.error) throw new Error(result.error.message);
    samples.push({ ...result.timingsMs, machine: decodeProfile(result.runs[0].profile).instructions.startNs.length });
  }
  const of = key => median(samples.map(s => s[key]));
  rows.push([
    count(size),
    count(of('machine')),
    count(size / (of('trace') / 1000)),
    ms(of('trace')),
    ms(of('compile')),
    ms(of('schedule')),
    ms(of('total')),
    mib(peakRss()),
  ]);
}
printTable(rows);
