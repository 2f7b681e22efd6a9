// What an instruction costs in processor time to compile (as written, and rewritten) and to schedule, and in memory, at 10 k,
// 100 k and 1 M instructions, from programs made here, without Python: one that computes, one that mostly moves data (16
// engine turns per transfer).
import { simulator } from './support/build.mjs';
import { benchPrograms } from './support/programs.mjs';
import { count, median, mib, ms, peakRss, printTable } from './support/table.mjs';

const SIZES = [10_000, 100_000, 1_000_000];
/** Few runs of the large one: it takes seconds and varies little. */
const runsOf = size => (size >= 1_000_000 ? 1 : 5);

const { ProgramBuilder, compile, schedule, simulate, encodeProfile, decodeProfile, packNkiprof, lines } = await simulator();

const { compute, movement } = benchPrograms(ProgramBuilder);

/** Processor time, ms: other programs on the machine hardly change it. */
function timed(act) {
  const start = process.cpuUsage();
  const value = act();
  const { user, system } = process.cpuUsage(start);
  return [(user + system) / 1000, value];
}

const perInstruction = (cpuMs, size) => `${((1000 * cpuMs) / size).toFixed(1)} us`;

const rows = [
  [
    'program',
    'instructions',
    'profile events',
    'compile',
    'each',
    'rewriting',
    'each',
    'schedule',
    'instructions/s',
    'bytes/event',
    '.nkiprof',
    'decode',
    'lines',
    'peak RSS',
  ],
];
// The first program of all is small and pays for what the machine compiles as it runs: once before it counts.
for (const make of [compute, movement]) simulate(make(SIZES[0]));
for (const [makeProgram, size] of SIZES.flatMap(size => [compute, movement].map(make => [make, size]))) {
  const program = makeProgram(size);
  const samples = Array.from({ length: runsOf(size) }, () => {
    const [literal, compiled] = timed(() => compile(program));
    const [rewriting] = timed(() => compile(program, { pipeline: 'rewriting' }));
    const [scheduling] = timed(() => schedule(compiled));
    return { literal, rewriting, scheduling };
  });
  const of = key => median(samples.map(s => s[key]));
  const profile = simulate(program);
  const container = encodeProfile(profile);
  const [decodeMs, decoded] = timed(() => decodeProfile(container));
  const [linesMs] = timed(() => lines(decoded));
  const events = profile.instructions.startNs.length + profile.transfers.startNs.length;
  const packed = size > 100_000 ? '' : mib(packNkiprof(container).length);
  rows.push([
    makeProgram.name,
    count(size),
    count(events),
    ms(of('literal')),
    perInstruction(of('literal'), size),
    ms(of('rewriting')),
    perInstruction(of('rewriting'), size),
    ms(of('scheduling')),
    count(size / (of('scheduling') / 1000)),
    (container.length / events).toFixed(1),
    packed,
    ms(decodeMs),
    ms(linesMs),
    mib(peakRss()),
  ]);
}
printTable(rows);
