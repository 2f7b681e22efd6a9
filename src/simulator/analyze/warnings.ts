/**
 * What a performance engineer would point at, each tied to its line and its moments: small DMAs, packets of a few bytes, tensors loaded again
 * and again, few partitions, small free dimensions, transposes, idle gaps with their cause, PE clock drops, DMA and compute
 * that do not overlap. Thresholds are Neuron's published advice where there is one (named in the rule), ours otherwise.
 */
import { type EventId, freeElements, NO_CHANNELS, operandsOf, type Profile, STALL } from '../profile/profile';
import { isOnRegisters } from '../vocabulary/registerOpcodes';
import { activeIntervals, computeTracks, dmaIntervals } from './activeTime';
import { areCollectives } from './collectives';
import { eventValue, instructionRows, transferEvent, transferRows } from './eventAccess';
import { bytesText, counted, percentText, timeText } from './format';
import { idleGaps } from './idleGaps';
import { clipped, concat, type Intervals, lengthNs, union } from './intervals';
import { machineOf } from './machineOf';
import { ofLists } from './operandBytes';
import { framePosition, type Position, places } from './places';
import { hasShortRuns, SHORT_RUN_BYTES } from './shortRuns';
import { eventName, stallText } from './stallText';
import { tensorTraffic } from './tensorTraffic';
import { transposes } from './totals';
import { spilledBytes } from './traffic';

export interface Warning {
  rule: string;
  title: string;
  message: string;
  /** How to fix it. */
  advice: string;
  /** Position of the first of its lines. */
  position: Position | null;
  /** Every line that it is about, the one that covers most of the body first; empty where it is about none. */
  lines: Position[];
  /** Time spans of the warning, in order of time. */
  spans: Intervals;
  /** Sorted by start. */
  events: EventId[];
  /** Share of the kernel's body that the spans cover: the order of the list. */
  share: number;
}

type Finding = Omit<Warning, 'share' | 'spans' | 'rule' | 'lines'> & { spans?: Intervals };
type Rule = (p: Profile) => Finding[];

/** Neuron Explorer's advice for a DMA (small-DMA band): at least 4 KiB, better 32 KiB. */
const SMALL_DMA_BYTES = 32 * 1024;
/** Neuron Profiler warns of tensors loaded more often than this. */
const MOST_LOADS = 2;
/** Neuron Explorer: transposes above this share of hardware FLOPs. */
const TRANSPOSE_SHARE = 0.1;
/** Share of the partitions, and free elements. Source: NKI performance guide, optimizations "free dimension" and "partition". */
const FEW_PARTITIONS = 1 / 2;
const SMALL_FREE = 64;
/** Ours. */
const OVERLAP_SHARE = 0.5;
const CLOCK_SHARE = 0.02;

const RULES: Readonly<Record<string, Rule>> = {
  'small-dma': smallDmas,
  'short-runs': shortRuns,
  spill: spills,
  reload: reloads,
  partitions: fewPartitions,
  'free-size': smallFree,
  transpose: transposeShare,
  gap: gaps,
  collective: collectiveGaps,
  clock: clockDrops,
  overlap: noOverlap,
};

/** Rules of advice (`advice/rules.ts`) that try what a warning proposes. */
export const TRIED_BY: Readonly<Record<string, readonly string[]>> = {
  'small-dma': ['merge-dmas', 'hardware-descriptors'],
  'short-runs': ['longer-runs'],
  reload: ['keep-loaded'],
  'free-size': ['wider-instructions'],
  transpose: ['no-transposes'],
  gap: ['double-buffer'],
  overlap: ['double-buffer'],
};

/** Those that cover most of the body first. What is said of several lines is one warning. */
export function warnings(p: Profile): Warning[] {
  // of a run of several kernel calls nothing is known but their times
  if (p.launches) return [];
  const bodyNs = Math.max(1, p.bodyEndNs - p.bodyStartNs);
  const found = Object.entries(RULES)
    .flatMap(([rule, find]) => find(p).map(finding => ({ rule, ...finding, spans: finding.spans ?? spansOf(p, finding.events) })))
    .map(warning => ({ ...warning, share: Math.min(1, lengthNs(warning.spans) / bodyNs) }))
    .sort((a, b) => b.share - a.share);
  const groups = new Map<string, (typeof found)[number][]>();
  for (const warning of found) {
    const key = `${warning.rule} ${warning.title}`;
    groups.set(key, [...(groups.get(key) ?? []), warning]);
  }
  return [...groups.values()].map(group => together(p, group, bodyNs)).sort((a, b) => b.share - a.share);
}

/** The first says what is wrong, for all. */
function together(p: Profile, group: readonly Omit<Warning, 'lines'>[], bodyNs: number): Warning {
  const [first] = group;
  const places = new Map(group.flatMap(({ position }) => (position ? [[`${position.file}:${position.line}`, position] as const] : [])));
  const lines = [...places.values()];
  if (group.length === 1) return { ...first, lines };
  const spans = union(concat(...group.map(warning => warning.spans)));
  const events = group
    .flatMap(warning => warning.events)
    .sort((a, b) => eventValue(p, a, 'startNs') - eventValue(p, b, 'startNs') || a - b);
  const message =
    lines.length > 1 ? `${first.message} ${lines.length - 1} more ${lines.length === 2 ? 'line is' : 'lines are'} like it.` : first.message;
  return { ...first, message, lines, spans, events, share: Math.min(1, lengthNs(spans) / bodyNs) };
}

function spansOf(p: Profile, events: readonly EventId[]): Intervals {
  return union({
    startNs: Float64Array.from(events, e => eventValue(p, e, 'startNs')),
    endNs: Float64Array.from(events, e => eventValue(p, e, 'endNs')),
  });
}

/** Events by the line they are written on, the line with most events first. */
function byLine(p: Profile, events: readonly EventId[]): { position: Position; events: EventId[] }[] {
  const { ofFrame, count, file, line } = places(p);
  const ofPlace: EventId[][] = Array.from({ length: count }, () => []);
  for (const event of events) ofPlace[ofFrame[eventValue(p, event, 'frame')]].push(event);
  return ofPlace
    .map((own, place) => ({ position: { file: p.files[file[place]].path, line: line[place] }, events: own }))
    .filter(found => found.events.length > 0)
    .sort((x, y) => y.events.length - x.events.length || x.events[0] - y.events[0]);
}

/** The transfers for which `test` says so. */
function transfersWhere(p: Profile, test: (transfer: number) => boolean): EventId[] {
  const found: EventId[] = [];
  for (let t = 0; t < transferRows(p); t++) if (test(t)) found.push(transferEvent(p, t));
  return found;
}

function instructionsWhere(p: Profile, test: (instruction: number) => boolean): EventId[] {
  const found: EventId[] = [];
  for (let i = 0; i < instructionRows(p); i++) if (test(i)) found.push(i);
  return found;
}

function smallDmas(p: Profile): Finding[] {
  const { bytes } = p.transfers;
  // what a collective moves is no DMA of the kernel's
  const isCollective = areCollectives(p);
  const small = transfersWhere(p, t => bytes[t] < SMALL_DMA_BYTES && isCollective[t] === 0);
  return byLine(p, small).map(({ position, events }) => {
    const mean = events.reduce((sum, e) => sum + bytes[e - instructionRows(p)], 0) / events.length;
    return {
      title: 'Small DMA transfers',
      message: `${counted(events.length, 'transfer')} of ${bytesText(Math.round(mean))} on average; the fixed cost of a DMA outweighs its bytes below 32 KiB.`,
      advice: 'Move several tiles with one DMA, or load a bigger tile and slice it in SBUF.',
      position,
      events,
    };
  });
}

function shortRuns(p: Profile): Finding[] {
  const { bytes, packets } = p.transfers;
  const partitions = machineOf(p).partitions.value;
  const isCollective = areCollectives(p);
  const short = transfersWhere(p, t => hasShortRuns(p.transfers, t, partitions) && isCollective[t] === 0);
  return byLine(p, short).map(({ position, events }) => {
    const sum = (column: ArrayLike<number>) => events.reduce((all, e) => all + column[e - instructionRows(p)], 0);
    const mean = bytesText(Math.round(sum(bytes) / sum(packets)));
    return {
      title: 'DMA packets of a few bytes',
      message: `${counted(events.length, 'transfer')} in packets of ${mean} on average: runs of bytes that lie together in the source and in the destination. Below ${bytesText(SHORT_RUN_BYTES)} the DMA engines are bound by packets, not by bytes.`,
      advice:
        'Let the last dimension be contiguous on both sides: store the tensor in the order in which it is read, or load whole rows and change the order on chip.',
      position,
      events,
    };
  });
}

/**
 * The compiler's spills, by the names of their queues or as a capture's summary has them. Of modelled kernels only those with static
 * rings have such queues: where descriptors are made by hardware, spills share its queues.
 */
function spills(p: Profile): Finding[] {
  const isSpill = p.tracks.map(({ name }) => /Spill(Save|Reload)/.test(name));
  const events = [...p.transfers.track.keys()].filter(t => isSpill[p.transfers.track[t]]).map(t => transferEvent(p, t));
  const moved = spilledBytes(p);
  const recorded = (name: string) => Number(p.recorded?.summary[name]) || 0;
  const saved = moved.spillSaveBytes || recorded('spill_save_bytes');
  const reloaded = moved.spillReloadBytes || recorded('spill_reload_bytes');
  if (saved + reloaded === 0) return [];
  return [
    {
      title: 'Tensors spilled',
      message: `${bytesText(saved)} were moved out of SBUF because they did not fit, and ${bytesText(reloaded)} loaded back.`,
      advice: 'Keep fewer or smaller tiles at a time: smaller blocks, or results stored as soon as they are there.',
      position: byLine(p, events)[0]?.position ?? null,
      events,
    },
  ];
}

function reloads(p: Profile): Finding[] {
  return tensorTraffic(p)
    .filter(tensor => tensor.type === 'IN' && (tensor.repeatFactor ?? 0) > MOST_LOADS)
    .map(({ name, sizeBytes, loadedBytes, loads, repeatFactor }) => {
      const events = transfersWhere(p, t => p.strings[p.transfers.variable[t]] === name);
      const size = bytesText(sizeBytes ?? 0);
      const each = bytesText(Math.round(loadedBytes / Math.max(1, loads)));
      return {
        title: `Tensor ${name} loaded many times`,
        message: `${name} (${size}) was loaded ${repeatFactor!.toFixed(1)} times over: ${bytesText(loadedBytes)} in ${loads} DMAs of ${each}.`,
        advice: 'Keep the tiles that are used again in SBUF: move the load out of the inner loop, or block the loops.',
        position: byLine(p, events)[0]?.position ?? null,
        events,
      };
    });
}

/** Instructions whose list of operands has a number below a limit, by line. Those on registers take one number each: they can be no wider. */
function narrow(p: Profile, value: (list: number) => number | null, limit: number): { position: Position; events: EventId[] }[] {
  const isNarrow = ofLists(p, list => Number((value(list) ?? limit) < limit));
  const isRegister = p.opcodes.map(isOnRegisters);
  const { operands, opcode } = p.instructions;
  const found = instructionsWhere(p, i => isNarrow[operands[i]] === 1 && !isRegister[opcode[i]]);
  return byLine(p, found);
}

/** Partitions that a list of operands works on; null where it does not say. */
function channelsOf({ operandLists: { channels } }: Profile): (list: number) => number | null {
  return list => (channels[list] === NO_CHANNELS ? null : channels[list]);
}

function fewPartitions(p: Profile): Finding[] {
  const channels = channelsOf(p);
  const partitions = machineOf(p).partitions.value;
  return narrow(p, channels, FEW_PARTITIONS * partitions).map(({ position, events }) => {
    const used = channels(p.instructions.operands[events[0]]);
    return {
      title: 'Few partitions in use',
      message: `${events.length} instructions work on ${used} of ${partitions} partitions: engines take as long for one as for all.`,
      advice: 'Lay the data out so that the parallel dimension is the partition dimension.',
      position,
      events,
    };
  });
}

function smallFree(p: Profile): Finding[] {
  const channels = channelsOf(p);
  const free = (list: number) => {
    if (channels(list) === null) return null;
    const most = operandsOf(p, list).reduce((elements, operand) => Math.max(elements, freeElements(p, operand)), -1);
    return most < 0 ? null : most;
  };
  return narrow(p, free, SMALL_FREE).map(({ position, events }) => {
    const size = free(p.instructions.operands[events[0]]);
    return {
      title: 'Small free dimension',
      message: `The fixed cost is most of the time of ${counted(events.length, 'instruction')} on ${counted(size!, 'element')} per partition.`,
      advice: 'Work on more elements of the free dimension at once.',
      position,
      events,
    };
  });
}

function transposeShare(p: Profile): Finding[] {
  const flags = transposes(p);
  const events = instructionsWhere(p, i => flags[i] === 1);
  const { flops } = p.instructions;
  const total = flops.reduce((a, b) => a + b, 0);
  const moved = events.reduce((sum, i) => sum + flops[i], 0);
  if (total === 0 || moved / total <= TRANSPOSE_SHARE) return [];
  return [
    {
      title: 'Much transposing',
      message: `${percentText(moved / total)} of the PE array's FLOPs only transpose data.`,
      advice: 'Load the tensor in the layout that the matmul needs, or swap its moving and stationary operands.',
      position: byLine(p, events)[0]?.position ?? null,
      events,
    },
  ];
}

/** Of those that a collective fills, `collectiveGaps` tells. */
function gaps(p: Profile): Finding[] {
  return idleGaps(p)
    .filter(({ collective }) => collective === null)
    .map(gap => ({
      title: 'Compute engines idle',
      message: `No compute engine ran for ${timeText(gap.endNs - gap.startNs)}. The next instruction ${stallText(p, gap.next) || 'did not wait'}.`,
      advice: 'Load earlier, into another buffer, so that the data is there when the engines need it.',
      position: framePosition(p, eventValue(p, gap.next, 'frame')),
      events: [gap.next],
      spans: spanOf(gap),
    }));
}

function collectiveGaps(p: Profile): Finding[] {
  return idleGaps(p).flatMap(({ collective, ...gap }) => {
    if (collective === null) return [];
    const waited = stallText(p, collective);
    return [
      {
        title: 'Compute engines wait for a collective',
        message: `No compute engine ran for ${timeText(gap.endNs - gap.startNs)}, most of it for ${eventName(p, collective, null)}${waited && `, which ${waited}`}.`,
        advice:
          'Trigger it earlier, or compute what does not need its result meanwhile. Where another rank came last, shorten what held that up.',
        position: framePosition(p, eventValue(p, collective, 'frame')),
        events: [collective],
        spans: spanOf(gap),
      },
    ];
  });
}

const spanOf = ({ startNs, endNs }: { startNs: number; endNs: number }): Intervals => ({
  startNs: Float64Array.of(startNs),
  endNs: Float64Array.of(endNs),
});

function clockDrops(p: Profile): Finding[] {
  const { stall, readyNs, startNs } = p.instructions;
  const events = instructionsWhere(p, i => stall[i] === STALL.clock && startNs[i] > readyNs[i]);
  const spans = union({
    startNs: Float64Array.from(events, i => readyNs[i]),
    endNs: Float64Array.from(events, i => startNs[i]),
  });
  if (lengthNs(spans) < (p.bodyEndNs - p.bodyStartNs) * CLOCK_SHARE) return [];
  return [
    {
      title: 'PE array at a lower clock',
      message: `${events.length} matmuls waited ${timeText(lengthNs(spans))} only because the PE array's clock was held back: it rises when the array is kept busy.`,
      advice: 'Let matmuls follow one another without gaps: prefetch their operands.',
      position: byLine(p, events)[0]?.position ?? null,
      events,
      spans,
    },
  ];
}

function noOverlap(p: Profile): Finding[] {
  const inBody = (busy: Intervals) => clipped(busy, p.bodyStartNs, p.bodyEndNs);
  const compute = inBody(activeIntervals(p, computeTracks(p)));
  const dma = inBody(dmaIntervals(p));
  const both = lengthNs(compute) + lengthNs(dma) - lengthNs(union(concat(compute, dma)));
  const least = Math.min(lengthNs(compute), lengthNs(dma));
  const bodyNs = p.bodyEndNs - p.bodyStartNs;
  if (least < bodyNs * 0.1 || both / least > OVERLAP_SHARE) return [];
  return [
    {
      title: 'DMA and compute hardly overlap',
      message: `Only ${percentText(both / least)} of the shorter of the two runs beside the other: DMA ${timeText(lengthNs(dma))}, compute ${timeText(lengthNs(compute))}.`,
      advice: 'Use more than one buffer, so that the next tile is loaded while this one is computed.',
      position: null,
      events: [],
      spans: dma,
    },
  ];
}
