/**
 * Which of the palette's colours an event has. Opcodes have their own for good (`opcodeColours.ts`); everything else is coloured by
 * rank of total time, so that what fills the screen differs most, and shares the last colour beyond the series. One small table
 * per choice, no per-event data.
 */
import { eventValue, instructionRows } from '../../simulator/analyze/eventAccess';
import { isSetup, isWaiting } from '../../simulator/analyze/opcodes';
import { stallShort } from '../../simulator/analyze/stallText';
import { transposes } from '../../simulator/analyze/totals';
import type { Lane } from '../../simulator/profile/lanes';
import { rowValue } from '../../simulator/profile/onDemand';
import { type Profile, STALL_REASONS } from '../../simulator/profile/profile';
import { isCcQueue } from '../../simulator/vocabulary/queues';
import type { TimeSpan } from '../math/timeSpan';
import { COLLECTIVE, SERIES } from '../render/theme';
import type { ColourBy } from '../state/settings';
import { layerGroups, layerSeries } from './layerColours';
import { opcodeSeries } from './opcodeColours';
import { slackKey } from './slackKey';

export interface Colouring {
  seriesOf(event: number): number;
  legend: { label: string; series: number }[];
}

/** Events of a row that are looked at for its colour. */
const SAMPLES = 256;

/** The colour that fills most of a row: of events taken evenly from it. */
export function rowSeries(lanes: readonly Lane[], { seriesOf }: Colouring): number {
  const filledNs = new Map<number, number>();
  for (const lane of lanes) {
    const step = Math.max(1, Math.floor((lane.length * lanes.length) / SAMPLES));
    for (let i = 0; i < lane.length; i += step) {
      const series = seriesOf(lane.id(i));
      filledNs.set(series, (filledNs.get(series) ?? 0) + lane.endNs(i) - lane.startNs(i));
    }
  }
  const [[most]] = [...filledNs].sort(([, a], [, b]) => b - a);
  return most;
}

/** The colour of what lies longest between two times in a row; null where nothing does. */
export function seriesWithin(lanes: readonly Lane[], { seriesOf }: Colouring, { startNs, endNs }: TimeSpan): number | null {
  let longest: { event: number; overlapNs: number } | null = null;
  for (const lane of lanes) {
    const [from, to] = [lane.firstEndingFrom(startNs), lane.firstStartingFrom(endNs)];
    if (from >= to) continue;
    // the first and the last may reach beyond the times
    for (const i of [from, to - 1, ...(to - from > 2 ? [lane.longestIn(from + 1, to - 1)] : [])]) {
      const overlapNs = Math.min(lane.endNs(i), endNs) - Math.max(lane.startNs(i), startNs);
      if (!longest || overlapNs > longest.overlapNs) longest = { event: lane.id(i), overlapNs };
    }
  }
  return longest && seriesOf(longest.event);
}

/** Of what went wrong: vermilion, whatever the event. */
export const ALARM: Colouring = { seriesOf: () => 6, legend: [] };

interface Key {
  /** Category of an event, as a row of `labels`. */
  of(event: number): number;
  labels: string[];
  /** Colours that mean something, in the order of the legend; absent: by rank, or the opcode's. */
  series?: readonly number[];
  /** The last category, of collectives, which have a colour of their own; absent: they are told apart by nothing. */
  collectives?: number;
}

/** @param like a profile beside this one: what both have has its colours @param layerDepth down to which layers are told apart */
export function colouring(profile: Profile, by: ColourBy, like: Colouring | null = null, layerDepth = 1): Colouring {
  const { of, labels, series: own, collectives } = KEYS[by](profile, layerDepth);
  const known = new Map(like?.legend.map(({ label, series }) => [label, series]));
  // in the legend work comes first, however long start-up and waiting took
  const order = (label: string) => (by !== 'opcode' ? 0 : isWaiting(label) ? 2 : isSetup(label) ? 1 : 0);
  const totals = new Float64Array(labels.length);
  let id = 0;
  for (const { startNs, endNs } of [profile.instructions, profile.transfers])
    for (let row = 0; row < startNs.length; row++) totals[of(id++)] += endNs[row] - startNs[row];
  const ranked = labels.map((_, i) => i);
  if (!own) ranked.sort((a, b) => order(labels[a]) - order(labels[b]) || totals[b] - totals[a] || a - b);
  const opcodes = by === 'opcode' ? opcodeSeries(labels.slice(0, collectives), category => totals[category] > 0) : null;
  const series = new Uint8Array(labels.length);
  for (const [rank, category] of ranked.entries()) {
    const label = labels[category];
    if (category === collectives) series[category] = COLLECTIVE;
    else series[category] = own?.[category] ?? known.get(label) ?? opcodes?.[category] ?? Math.min(rank, SERIES - 1);
  }
  const legend = ranked.filter(category => totals[category] > 0).map(category => ({ label: labels[category], series: series[category] }));
  return { seriesOf: id => series[of(id)], legend };
}

const KEYS: Record<ColourBy, (profile: Profile, layerDepth: number) => Key> = {
  opcode: p => {
    const transfer = transferCategory(p, p.opcodes.length);
    const rows = instructionRows(p);
    // row by row: the column itself would be held on to
    const of = (id: number) => (id < rows ? rowValue(p.instructions, 'opcode', id) : transfer(id));
    return { of, labels: [...p.opcodes, ...TRANSFERS], collectives: p.opcodes.length + 1 };
  },
  engine: p => ({ of: id => eventValue(p, id, 'track'), labels: p.tracks.map(track => track.name) }),
  stall: p => ({
    of: id => eventValue(p, id, 'stall'),
    labels: STALL_REASONS.map(reason => (reason === 'none' ? 'did not wait' : `waited: ${stallShort(reason)}`)),
  }),
  slack: slackKey,
  function: p => ({
    of: id => p.frames.function[eventValue(p, id, 'frame')],
    labels: p.strings,
  }),
  loop: p => {
    const depth = loopDepths(p);
    const deepest = depth.reduce((a, b) => Math.max(a, b), 0);
    const labels = Array.from({ length: deepest + 1 }, (_, level) => (level === 0 ? 'outside loops' : `loop level ${level}`));
    return { of: id => depth[eventValue(p, id, 'iteration')] ?? 0, labels };
  },
  layer: (p, depth) => {
    const { ofFrame, names } = layerGroups(p, depth);
    const labels = [...names, 'outside layers'];
    return { of: id => ofFrame(eventValue(p, id, 'frame')), labels, series: labels.map((_, group) => layerSeries(group, names.length)) };
  },
  type: p => {
    const rows = instructionRows(p);
    const transposing = transposes(p);
    const transfer = transferCategory(p, 2);
    return { of: id => (id < rows ? transposing[id] : transfer(id)), labels: ['regular', 'transpose', ...TRANSFERS], collectives: 3 };
  },
  tensor: p => {
    const rows = instructionRows(p);
    const none = p.strings.length;
    return { of: id => (id < rows ? none : rowValue(p.transfers, 'variable', id - rows)), labels: [...p.strings, 'instructions'] };
  },
  line: p => {
    const places = linePlaces(p);
    return { of: id => places.ofFrame[eventValue(p, id, 'frame')], labels: places.labels };
  },
};

const TRANSFERS = ['DMA', 'collectives'];

/** Of an event that is no instruction, its place in `TRANSFERS`, from `first` on. */
function transferCategory(p: Profile, first: number): (event: number) => number {
  const ofTrack = p.tracks.map(({ kind, name }) => first + Number(kind === 'queue' && isCcQueue(name)));
  if (!ofTrack.includes(first + 1)) return () => first;
  return event => ofTrack[eventValue(p, event, 'track')];
}

/** Of each iteration: 1 in an outermost loop. Parents come before their children. */
function loopDepths({ iterations: { parent } }: Profile): Uint8Array {
  const depth = new Uint8Array(parent.length);
  for (let i = 0; i < parent.length; i++) depth[i] = (parent[i] < 0 ? 0 : depth[parent[i]]) + 1;
  return depth;
}

function linePlaces(p: Profile): { ofFrame: Uint32Array; labels: string[] } {
  const known = new Map<string, number>();
  const ofFrame = Uint32Array.from(p.frames.line, (line, i) => {
    const label = `${baseName(p.files[p.frames.file[i]].path)}:${line}`;
    if (!known.has(label)) known.set(label, known.size);
    return known.get(label)!;
  });
  return { ofFrame, labels: [...known.keys()] };
}

const baseName = (path: string) => path.split(/[\\/]/).pop() ?? path;
