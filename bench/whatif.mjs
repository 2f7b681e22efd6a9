// How long does an experiment take: a profile of 10,000 instructions timed again with one change, and the causal profile of the 20
// hottest lines of 100,000 instructions: on one thread, and on the command line, which shares the lines among two workers.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dist, simulator } from './support/build.mjs';
import { benchPrograms } from './support/programs.mjs';
import { count, median, ms, printTable } from './support/table.mjs';

const ONE_CHANGE = 10_000;
const CAUSAL = 100_000;
const RUNS = 9;
/** `causalProfile` looks at so many lines. */
const LINES = 20;
/** Copies of the seven lines of the compute program, so that it has as many. */
const COPIES = 3;
const SPEEDS = [4 / 3, 2, 4, Infinity];

const { ProgramBuilder, encodeProfile, Experiment, packNkiprof, schedule, simulate } = await simulator();
const { compute, movement } = benchPrograms(ProgramBuilder);

function timed(act) {
  const start = performance.now();
  act();
  return performance.now() - start;
}

const rows = [
  ['program', 'instructions', 'experiment made', 'one change', 'beside scheduling', `${LINES} lines x ${SPEEDS.length} speeds`],
];
for (const [name, make] of [
  ['compute', compute],
  ['movement', movement],
])
  for (const size of [ONE_CHANGE, CAUSAL]) {
    const profile = simulate(make(size));
    const line = profile.frames.line.at(-1);
    const experiment = new Experiment(profile);
    const events = experiment.eventsOf(profile.files[0].path, line);
    const change = speed => experiment.totalNs({ kind: 'events', events, speed });
    change(2);
    const runs = Array.from({ length: size === CAUSAL ? 3 : RUNS }, (_, run) => ({
      made: timed(() => new Experiment(profile)),
      one: timed(() => change(2 + run / 100)),
      scheduling: timed(() => schedule(experiment.code)),
    }));
    const of = key => median(runs.map(run => run[key]));
    const all = size === CAUSAL ? timed(() => Array.from({ length: LINES }, () => SPEEDS.map(change))) : NaN;
    rows.push([
      name,
      count(size),
      ms(of('made')),
      ms(of('one')),
      (of('one') / of('scheduling')).toFixed(2),
      Number.isNaN(all) ? '' : ms(all),
    ]);
  }
printTable(rows);

/** The whole command, which also reads the file and starts the workers. */
function causalOnCommandLine() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-whatif-'));
  const file = path.join(folder, 'compute.nkiprof');
  const profile = simulate(compute(CAUSAL, COPIES));
  fs.writeFileSync(file, packNkiprof(encodeProfile(profile)));
  const schedulingMs = timed(() => schedule(new Experiment(profile).code));
  let lines = 0;
  const commandMs = timed(() => {
    const run = spawnSync(process.execPath, [path.join(dist, 'cli.js'), 'whatif', '-s', file, '--causal', '--json'], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (run.status !== 0) throw new Error(run.stderr);
    lines = JSON.parse(run.stdout).length;
  });
  fs.rmSync(folder, { recursive: true });
  const times = lines * SPEEDS.length;
  console.log(
    `\nwhatif --causal of ${count(CAUSAL)} instructions, ${lines} lines x ${SPEEDS.length} speeds, ${Math.min(2, os.availableParallelism())} workers: ` +
      `${ms(commandMs)}, ${(commandMs / schedulingMs / times).toFixed(2)} of scheduling once per line and speed`,
  );
}

causalOnCommandLine();
