/**
 * One clock for a recording of version 4, in which each engine and the DMA engines have clocks of their own. Events (changes of semaphores and
 * flags) are on one clock for all, and both sides record them: an engine ends an instruction that raises a semaphore, or begins one that waited
 * for it; a DMA engine's packet has arrived, which raises one. In three public recordings all 240 packets pair so, to 25 ns, and from the first
 * begin to the last end there are within 0.2 ns as many as their `total_time` says.
 */
import { ENGINES, type NtffGraph, SECTION } from './container';
import { lastPackets, type NtffPacket, RUNTIME_QUEUE, transfersOf } from './dma';
import { type NtffInstruction, wordOf } from './instructions';
import { type ClockBase, recordsOf } from './records';
import { CHANGE, changedBy, waitedFor } from './words';

/** From the end of an instruction to the event that it raises; version 5, which has one clock. */
export const RAISE_PS = 12_000;
/** From the event to the start of what waited for it: of VectorE in version 4, where the one above is known. */
const HOP_PS = 18_000;
/** Version 4 counts the cycles of the DMA engines, of 0.85 GHz: so fit the pairs of three recordings, to 2 in 10,000. */
const DMA_CYCLE_PS = 1000 / 0.85;
/** Pairs of packets and events that lie further apart than this are none. */
const MOST_SPREAD_PS = 200_000;

/** Its clock was that of the events in all recordings, to 3 ns. */
const EVENTS_OF = 'Sync';
/** Who raised it: engines from 1. */
const BY_DMA = 6;

/** Events that change something, by what others know of them. Times are ps. */
export class Changes {
  private readonly byRaiser = new Map<string, number[]>();
  private readonly byValue = new Map<string, number[]>();

  constructor({ sections }: NtffGraph, base: ClockBase) {
    for (const { low, code, payload, timePs } of recordsOf(sections.get(SECTION.events) ?? [], base)) {
      if (!CHANGE.has(code & 0xff)) continue;
      append(this.byRaiser, `${(code >> 10) & 7} ${low}`, timePs);
      append(this.byValue, `${low} ${payload}`, timePs);
    }
  }

  /** When an engine changed a semaphore or flag. */
  of(engine: number, what: number): readonly number[] {
    return this.byRaiser.get(`${engine + 1} ${what}`) ?? [];
  }

  /** When it got a value; undefined where that happened not once. */
  once(what: number, value: number): number | undefined {
    const times = this.byValue.get(`${what} ${value}`);
    return times?.length === 1 ? times[0] : undefined;
  }

  /** By DMAs, semaphore by semaphore. */
  byDma(): readonly number[][] {
    return [...this.byRaiser].filter(([raiser]) => raiser.startsWith(`${BY_DMA} `)).map(([, times]) => times);
  }
}

function append<K>(map: Map<K, number[]>, key: K, value: number): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** Instructions on the clock of the events, and engines without any because nothing says how their clocks relate to it. */
export interface Aligned {
  instructions: NtffInstruction[];
  unknown: number[];
}

export function alignedInstructions(graph: NtffGraph, all: readonly NtffInstruction[], changes: Changes): Aligned {
  const engines = [...graph.engines.keys()];
  const aheadPs = new Map(engines.map(engine => [engine, engineAhead(graph, engine, all, changes)]));
  const instructions = all.flatMap(one => {
    const ahead = aheadPs.get(one.engine) ?? null;
    return ahead === null ? [] : { ...one, startPs: one.startPs - ahead, endPs: one.endPs - ahead };
  });
  return { instructions, unknown: engines.filter(engine => aheadPs.get(engine) === null) };
}

/** By how much an engine's clock is ahead of the events'; null where nothing says it. */
function engineAhead(graph: NtffGraph, engine: number, all: readonly NtffInstruction[], changes: Changes): number | null {
  const ends = new Map<number, number[]>();
  const waits: number[] = [];
  for (const one of all) {
    const word = one.engine === engine ? wordOf(graph, one) : null;
    if (!word) continue;
    const what = changedBy(word);
    if (what !== null) append(ends, what, one.endPs);
    const wait = waitedFor(word);
    const seen = wait && changes.once(wait.what, wait.value);
    if (seen) waits.push(one.startPs - seen);
  }
  const raises = [...ends].flatMap(([what, times]) => {
    const events = changes.of(engine, what);
    return events.length === times.length ? times.sort((a, b) => a - b).map((end, k) => end - events[k]) : [];
  });
  if (raises.length > 0) return median(raises) + RAISE_PS;
  // those that did not have to wait began later
  if (waits.length > 0) return waits.reduce((least, wait) => Math.min(least, wait)) - HOP_PS;
  return ENGINES[engine] === EVENTS_OF ? 0 : null;
}

/** @returns packets on the clock of the events; null where they do not pair. */
export function alignedPackets(packets: readonly NtffPacket[], changes: Changes): NtffPacket[] | null {
  const ends = transfersOf(packets)
    .filter(({ queue }) => queue !== RUNTIME_QUEUE)
    .map(lastPackets);
  const arrivals = ends.flat().map(({ donePs }) => donePs);
  const events = arrivalEvents(changes, ends);
  if (arrivals.length === 0 || arrivals.length !== events.length) return null;
  for (const times of [arrivals, events]) times.sort((a, b) => a - b);
  const origin = arrivals[0];
  const later = arrivals.map((cycles, k) => events[k] - (cycles - origin) * DMA_CYCLE_PS).sort((a, b) => a - b);
  if (later[later.length - 1] - later[0] > MOST_SPREAD_PS) return null;
  const at = (cycles: number) => (cycles - origin) * DMA_CYCLE_PS + median(later);
  return packets.map(one => ({ ...one, startPs: at(one.startPs), endPs: at(one.endPs), donePs: at(one.donePs) }));
}

/** When DMAs raised semaphores that whole transfers raise: by one on each DMA engine. */
function arrivalEvents(changes: Changes, transfers: readonly NtffPacket[][]): number[] {
  const engines = [...new Set(transfers.map(({ length }) => length))].filter(count => count > 1);
  return changes.byDma().flatMap(times => (engines.some(count => times.length % count === 0) ? times : []));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
