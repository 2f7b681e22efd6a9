/** Collectives of a captured rank: as events on the rows of CC cores, and as what the run's ranks have in common. */
import type { RankOfRun } from '../../profile/profile';
import { contentHash } from '../contentHash';
import { type Capture, type CapturedCollective, type CapturedDma, type CapturedInstruction, NO_SOURCE, NOT_OURS } from './rows';

/** Which rank of which run a capture is of. */
export interface RankPlace {
  rank: number;
  ranks: number;
  /** Of a capture that does not number its ranks: process and core; else empty. */
  process: string;
  /** What the run is called: all of its ranks alike. */
  run: string;
}

const TRIGGER = /TRIGGER_COLLECTIVE/;

/** Its bytes are moved by the DMA engines of CC cores: the row has none. */
export function collectiveTransfer(c: CapturedCollective, instructions: readonly CapturedInstruction[]): CapturedDma {
  const trigger = instructions.find(({ opcode, startNs }) => startNs === c.triggerNs && TRIGGER.test(opcode));
  const id = `collective ${c.ccCore} ${c.startNs}`;
  return {
    ...{ id, group: id, whole: true, startNs: c.startNs, endNs: c.endNs, waitNs: c.startNs - c.triggerNs, doneNs: c.endNs },
    ...{ engine: 0, core: trigger?.core ?? 0, queue: `CC-core_${c.ccCore}`, bytes: 0, packets: 0, variable: c.name },
    ...{ from: 'unknown', to: 'unknown', source: trigger?.source ?? NO_SOURCE, predecessors: [], reason: 'rank' },
    ...{ trigger: trigger?.id ?? null, own: NOT_OURS },
  };
}

/** @param firstRow row of the first collective in the profile's transfers */
export function capturedRank(c: Capture, { rank, ranks, process }: RankPlace, firstRow: number): RankOfRun {
  const seen = new Map<string, number>();
  const ordered = [...c.collectives.keys()].sort((a, b) => c.collectives[a].startNs - c.collectives[b].startNs);
  const collectives = ordered.map(at => {
    const { name, algorithm, bytes, lists } = c.collectives[at];
    const list = (lists.find(each => each.includes(rank)) ?? []).join();
    const before = seen.get(list) ?? 0;
    seen.set(list, before + 1);
    return { transfer: firstRow + at, number: numberOf(list, before), name, algorithm, bytes };
  });
  return { rank, ranks, ...(process && { process }), topology: c.instanceType, collectives };
}

/**
 * Ranks of a list keep the order of its collectives, and each rank is read by itself: so the list and how many of it came before give the
 * same number at all of them. A list of all ranks counts from 0.
 */
const numberOf = (list: string, before: number) =>
  list === '' ? before : contentHash(new TextEncoder().encode(`${list} ${before}`)).low >>> 0;
