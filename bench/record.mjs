// Instructions recorded per second and what they take in memory: kernels of 10 k, 100 k and 1 M instructions in a Python loop, from
// source to profile, without values. The last takes half a minute on an idle machine; CPU seconds (all threads) tell what it takes on a busy one.
import path from 'node:path';
import { dist, simulator } from './support/build.mjs';
import { kernelFile, longLoop } from './support/kernels.mjs';
import { count, median, mib, ms, peakRss, printTable } from './support/table.mjs';

const SIZES = [10_000, 100_000, 200_000, 1_000_000];
/** Few runs of the large one: it takes a minute and varies little. */
const runsOf = size => (size >= 1_000_000 ? 1 : 3);

const { SimulatorClient, decodeProfile } = await simulator();
const rows = [['program instructions', 'in the profile', 'recorded/s', 'trace', 'compile', 'schedule', 'total', 'CPU', 'peak RSS']];
for (const size of SIZES) {
  const file = kernelFile('long_loop.py', longLoop(size));
  const samples = [];
  for (let run = 0; run < runsOf(size); run++) {
    const client = new SimulatorClient({ dist });
    const before = process.cpuUsage();
    const result = await client.capture({ file, root: path.dirname(file), target: 'trn2', numerics: 'off' });
    client.dispose();
    if (result.error) throw new Error(result.error.message);
    const { user, system } = process.cpuUsage(before);
    samples.push({
      cpu: (user + system) / 1000,
      ...result.timingsMs,
      machine: decodeProfile(result.runs[0].profile).instructions.startNs.length,
    });
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
    ms(of('cpu')),
    mib(peakRss()),
  ]);
}
printTable(rows);
