/** What `capture` says about a run: the contract's JSON object, and the same for reading. */
import {
  bounds,
  bytesText,
  type CaptureResult,
  type CaptureRun,
  dmaActiveNs,
  type Line,
  lines,
  type Profile,
  percentText,
  timeText,
  trackActiveNs,
} from '../simulator/index';
import { compileJson } from './compileText';
import { linesTable } from './linesTable';
import { checkText, shortPath } from './messages';

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

function engineRows(p: Profile): EngineRow[] {
  const active = trackActiveNs(p);
  const counts = new Uint32Array(p.tracks.length);
  for (const track of p.instructions.track) counts[track]++;
  return p.tracks.flatMap(({ kind, name }, i) =>
    kind === 'engine'
      ? [{ name, instructions: counts[i], activeNs: active[i], share: p.totalTimeNs > 0 ? active[i] / p.totalTimeNs : 0 }]
      : [],
  );
}

export function runJson({ run, profile: p, file }: WrittenRun): Record<string, unknown> {
  const engine = ({ name, instructions, activeNs, share }: EngineRow) => [
    name,
    { instructions, active_ns: activeNs, active_percent: share },
  ];
  return {
    profile: file,
    kernel: run.kernel,
    target: p.target,
    total_time_ns: p.totalTimeNs,
    body_ns: p.bodyEndNs - p.bodyStartNs,
    ncl_us: p.nclUs,
    instructions: p.instructions.startNs.length,
    engines: Object.fromEntries(engineRows(p).map(engine)),
    dma: { bytes: p.transfers.bytes.reduce((a, b) => a + b, 0), transfers: p.transfers.bytes.length, active_ns: dmaActiveNs(p) },
    outputs: run.outputs,
    checks: run.checks,
    ...(run.compile && { compile: compileJson(run.compile) }),
    hot_lines: hotLines(p).map(l => ({ file: l.file, line: l.line, text: l.text, share: l.share, time_ns: l.timeNs })),
  };
}

/** The last run's object; with several runs, all of them under `runs`. */
export function captureJson(runs: WrittenRun[], timings: CaptureResult['timingsMs']): Record<string, unknown> {
  const objects = runs.map(runJson);
  return { ...objects[objects.length - 1], timings_ms: timings, ...(objects.length > 1 ? { runs: objects } : {}) };
}

export function runText({ run, profile: p, file }: WrittenRun): string {
  const bytes = p.transfers.bytes.reduce((a, b) => a + b, 0);
  const dmaNs = dmaActiveNs(p);
  const row = (name: string, count: string, active: string, share: string) =>
    `  ${name.padEnd(14)}${count.padStart(14)}${active.padStart(12)}${share.padStart(8)}`;
  return [
    `${run.kernel} on ${p.target}: ${timeText(p.totalTimeNs)} in all, ${timeText(p.bodyEndNs - p.bodyStartNs)} kernel body, NCL ${p.nclUs.toFixed(1)} µs`,
    '',
    row('Engine', 'instructions', 'active', 'share'),
    ...engineRows(p).map(e => row(e.name, String(e.instructions), timeText(e.activeNs), percentText(e.share))),
    `${row('DMA', `${p.transfers.bytes.length} transfers`, timeText(dmaNs), percentText(dmaNs / Math.max(1, p.totalTimeNs)))}  ${bytesText(bytes)}`,
    '',
    'Hot lines, by their share of the kernel body',
    linesTable(hotLines(p), true),
    '',
    ...bounds(p).sentences,
    ...run.outputs.map(o => `Output ${o.name} ${o.dtype}[${o.shape.join(',')}]${o.checksum ? ` checksum ${o.checksum}` : ''}`),
    ...run.checks.map(checkText),
    p.accuracy,
    `Profile: ${shortPath(file)}`,
    '',
  ].join('\n');
}
