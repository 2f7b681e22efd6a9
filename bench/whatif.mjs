// How long does an experiment take: a profile of 10,000 instructions timed again with one change, and the causal profile of the 20
// hottest lines of 100,000 instructions, on one core. The command line shares the lines among two workers.
import { simulator } from './support/build.mjs';
import { benchPrograms } from './support/programs.mjs';
import { count, median, ms, printTable } from './support/table.mjs';

const ONE_CHANGE = 10_000;
const CAUSAL = 100_000;
const RUNS = 9;
/** `causalProfile` looks at so many lines, of which these programs have fewer. */
const LINES = 20;
const SPEEDS = [4 / 3, 2, 4, Infinity];

const { ProgramBuilder, Experiment, schedule, simulate } = await simulator();
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
