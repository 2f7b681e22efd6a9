/** What `capture` says about a run: the contract's JSON object, and the same for reading. */
import {
  activeIntervals,
  bounds,
  busyByTrack,
  bytesText,
  type CaptureResult,
  type CaptureRun,
  collectiveTotals,
  coresOf,
  counted,
  dmaActiveNs,
  type Line,
  lengthNs,
  lines,
  ofCore,
  PERFORMANCE,
  type Profile,
  percentText,
  rankLines,
  ranksOfRun,
  said,
  stallText,
  timeText,
  withoutCore,
} from '../simulator/index';
import { compileJson } from './compileText';
import { linesTable } from './linesTable';
import { checkTexts, shortPath } from './messages';
import { precisionJson } from './precisionText';

const HOT_LINES = 10;

/** A run with its profile decoded and written. */
export interface WrittenRun {
  run: CaptureRun;
  profile: Profile;
  file: string;
}

export function hotLines(profile: Profile): Line[] {
  return lines(profile)
    .filter(line => line.timeNs > 0)
    .slice(0, HOT_LINES);
}

interface EngineRow {
  name: string;
  instructions: number;
  activeNs: number;
  /** Of the total time. */
  share: number;
}

/** By row of engines, as the timeline names it. Of several cores it counts what they did together, and the time in which any of them was busy. */
function engineRows(p: Profile): EngineRow[] {
  const busy = busyByTrack(p);
  const counts = new Uint32Array(p.tracks.length);
  for (const track of p.instructions.track) counts[track]++;
  const labels = p.tracks.map(({ kind, name, core = 0 }) => (kind === 'engine' ? withoutCore(name, core) : null));
  return [...new Set(labels)].flatMap(name => {
    if (name === null) return [];
    const tracks = [...labels.keys()].filter(track => labels[track] === name);
    const activeNs = lengthNs(activeIntervals(p, tracks, busy));
    const instructions = tracks.reduce((sum, track) => sum + counts[track], 0);
    return [{ name, instructions, activeNs, share: p.totalTimeNs > 0 ? activeNs / p.totalTimeNs : 0 }];
  });
}

/** What is said of a run, and of each core of one over several. */
function figures(p: Profile): Record<string, unknown> {
  const engine = ({ name, instructions, activeNs, share }: EngineRow) => [
    name,
    { instructions, active_ns: activeNs, active_percent: share },
  ];
  return {
    total_time_ns: p.totalTimeNs,
    body_ns: p.bodyEndNs - p.bodyStartNs,
    ncl_us: p.nclUs,
    ...(p.likely && {
      interval_ns: [p.likely.lowNs, p.likely.highNs],
      interval_held_percent: p.likely.heldPercent,
    }),
    instructions: p.instructions.startNs.length,
    engines: Object.fromEntries(engineRows(p).map(engine)),
    dma: { bytes: bytesOf(p), transfers: dmasOf(p), active_ns: dmaActiveNs(p) },
  };
}

/** Collectives are none. */
const dmasOf = (p: Profile) => p.transfers.bytes.length - collectiveTotals(p).count;
const bytesOf = ({ transfers }: Profile) => transfers.bytes.reduce((a, b) => a + b, 0);

export function runJson({ run, profile: p, file }: WrittenRun): Record<string, unknown> {
  const cores = coresOf(p);
  const compiled = (core: number) => run.compile?.[core] && { compile: compileJson(run.compile[core]) };
  return {
    profile: file,
    kernel: run.kernel,
    target: p.target,
    ...figures(p),
    ...(cores.length > 0 && { cores: cores.map(core => ({ core, ...figures(ofCore(p, core)), ...compiled(core) })) }),
    outputs: run.outputs,
    checks: run.checks,
    warnings: said(p).filter(({ category }) => category === PERFORMANCE),
    ...precisionJson(run),
    ...(cores.length === 0 && compiled(0)),
    hot_lines: hotLines(p).map(l => ({ file: l.file, line: l.line, text: l.text, share: l.share, time_ns: l.timeNs })),
  };
}

const likelyText = ({ likely }: Profile) => (likely ? ` (likely ${timeText(likely.lowNs)} to ${timeText(likely.highNs)})` : '');

const timesText = (p: Profile) =>
  `${timeText(p.totalTimeNs)} in all${likelyText(p)}, ${timeText(p.bodyEndNs - p.bodyStartNs)} kernel body, NCL ${p.nclUs.toFixed(1)} µs`;

function activityRows(p: Profile): string[] {
  const dmaNs = dmaActiveNs(p);
  const row = (name: string, count: string, active: string, share: string) =>
    `  ${name.padEnd(14)}${count.padStart(14)}${active.padStart(12)}${share.padStart(8)}`;
  const collectives = collectiveTotals(p);
  const shareText = (ns: number) => percentText(ns / Math.max(1, p.totalTimeNs));
  return [
    row('Engine', 'instructions', 'active', 'share'),
    ...engineRows(p).map(e => row(e.name, String(e.instructions), timeText(e.activeNs), percentText(e.share))),
    `${row('DMA', `${dmasOf(p)} transfers`, timeText(dmaNs), shareText(dmaNs))}  ${bytesText(bytesOf(p))}`,
    ...(collectives.count > 0
      ? [row('CC cores', counted(collectives.count, 'collective'), timeText(collectives.activeNs), shareText(collectives.activeNs))]
      : []),
  ];
}

/** Runs of ranks of one call together; any other run by itself. */
export function byCall(runs: readonly WrittenRun[]): WrittenRun[][] {
  const calls: WrittenRun[][] = [];
  for (const written of runs)
    if (written.run.id.rank) calls.at(-1)!.push(written);
    else calls.push([written]);
  return calls;
}

/** The rank whose kernel body ends last: the run lasts as long as it. */
const slowestOf = (ranks: readonly WrittenRun[]) => ranks.reduce((a, b) => (b.profile.bodyEndNs > a.profile.bodyEndNs ? b : a));

/** Of a call on several ranks the object of the slowest, with those of all. */
function callJson(ranks: readonly WrittenRun[]): Record<string, unknown> {
  if (ranks.length === 1) return runJson(ranks[0]);
  const each = ranks.map(written => ({ rank: written.run.id.rank, ...runJson(written), ...collectiveFigures(written.profile) }));
  return { ...runJson(slowestOf(ranks)), ranks: each };
}

/** The last run's object; with several runs, all of them under `runs`. */
export function captureJson(runs: WrittenRun[], timings: CaptureResult['timingsMs']): Record<string, unknown> {
  const objects = byCall(runs).map(callJson);
  return { ...objects[objects.length - 1], timings_ms: timings, ...(objects.length > 1 ? { runs: objects } : {}) };
}

const collectiveFigures = (p: Profile) => {
  const { count, activeNs, waitNs } = collectiveTotals(p);
  return { collectives: { count, active_ns: activeNs, wait_ns: waitNs } };
};

/** A call: of several ranks a row each, then the slowest in full. */
export function callText(ranks: readonly WrittenRun[]): string {
  if (ranks.length === 1) return runText(ranks[0]);
  const slowest = slowestOf(ranks);
  const latest = longestWait(ranks);
  return [
    ...rankLines(ranksOfRun(ranks.map(({ profile }) => profile))),
    '',
    ...(latest === null ? [] : [`Longest wait: ${latest}`, '']),
    runText(slowest),
  ].join('\n');
}

function longestWait(ranks: readonly WrittenRun[]): string | null {
  const waits = ranks.flatMap(({ run, profile: p }) =>
    (p.rank?.collectives ?? []).flatMap(({ transfer, late }) => (late ? [{ rank: run.id.rank, p, transfer, late }] : [])),
  );
  const waitNs = ({ p, transfer }: (typeof waits)[number]) => p.transfers.startNs[transfer] - p.transfers.readyNs[transfer];
  if (waits.length === 0) return null;
  const longest = waits.reduce((a, b) => (waitNs(b) > waitNs(a) ? b : a));
  return `rank ${longest.rank} ${stallText(longest.p, longest.p.instructions.startNs.length + longest.transfer)}`;
}

export function runText({ run, profile: p, file }: WrittenRun): string {
  return [
    `${run.kernel} on ${p.target}: ${timesText(p)}`,
    '',
    ...activityRows(p),
    '',
    ...coresOf(p).flatMap(core => {
      const own = ofCore(p, core);
      return [`Core ${core}: ${timesText(own)}`, '', ...activityRows(own), ''];
    }),
    'Hot lines, by their share of the kernel body',
    linesTable(hotLines(p), true),
    '',
    ...bounds(p).sentences,
    ...run.outputs.map(o => `Output ${o.name} ${o.dtype}[${o.shape.join(',')}]${o.checksum ? ` checksum ${o.checksum}` : ''}`),
    ...checkTexts(run.checks),
    p.accuracy,
    `Profile: ${shortPath(file)}`,
    '',
  ].join('\n');
}
