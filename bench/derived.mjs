// What the page works out of a profile of EVENTS=1000000 events before all of it is drawn, and for its panels, each once as in a page that
// opens: the processor time of each. NKI_SCOPE_BENCH_BEFORE names another checkout of this repository, whose source is measured in alternation.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { root, simulator } from './support/build.mjs';
import { benchPrograms } from './support/programs.mjs';
import { count, median, ms, printTable } from './support/table.mjs';

const EVENTS = Number(process.env.EVENTS ?? 1_000_000);
const RUNS = Number(process.env.RUNS ?? 5);
/** Measured: a `movement` of instructions becomes so many events. */
const EVENTS_PER_INSTRUCTION = 5 / 3;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-bench-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

const s = await simulator();
const profile = s.simulate(benchPrograms(s.ProgramBuilder).movement(EVENTS / EVENTS_PER_INSTRUCTION));
const events = profile.instructions.startNs.length + profile.transfers.startNs.length;
const file = path.join(folder, 'profile');
fs.writeFileSync(file, s.encodeProfile(profile));

/** The same measurement over the source of a checkout. */
async function bundled(name, checkout) {
  const outfile = path.join(folder, `${name}.mjs`);
  const contents = fs.readFileSync(path.join(root, 'bench/derived.bench.ts'), 'utf8');
  const stdin = { contents, loader: 'ts', resolveDir: path.join(checkout, 'bench') };
  await esbuild.build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning' });
  return { name, outfile, samples: [] };
}

const before = process.env.NKI_SCOPE_BENCH_BEFORE;
const sources = [...(before ? [await bundled('before', path.resolve(before))] : []), await bundled('now', root)];
for (let run = 0; run < RUNS; run++)
  for (const { outfile, samples } of sources) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [outfile, file], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    samples.push(JSON.parse(stdout));
  }

const names = Object.keys(sources[0].samples[0]);
const all = sample => names.reduce((sum, name) => sum + sample[name], 0);
const row = (title, of) => {
  const medians = sources.map(({ samples }) => median(samples.map(of)));
  return [title, ...medians.map(ms), ...(before ? [(medians[1] / medians[0]).toFixed(2)] : [])];
};
console.log(`${count(events)} events, median of ${RUNS}`);
printTable([
  ['', ...sources.map(({ name }) => name), ...(before ? ['now / before'] : [])],
  ...names.map(name => row(name, sample => sample[name])),
  row('all', all),
]);
