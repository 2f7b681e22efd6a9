/** Time of the collectives of a rank: its events on the rows of CC cores. */
import type { EventId, Profile, RankCollective, RankOfRun } from '../profile/profile';
import { isCcQueue } from '../vocabulary/queues';
import { eventValue, isTransfer, transferRow } from './eventAccess';
import { lengthNs, select, union } from './intervals';

export interface CollectiveTotals {
  count: number;
  /** Durations added up, from the arrival of the last rank on. */
  sumNs: number;
  /** Time at which at least one ran. */
  activeNs: number;
  /** Waiting for ranks that came later, added up. */
  waitNs: number;
}

/** Row of `transfers` -> 1 for collectives. */
export function areCollectives(p: Profile): Uint8Array {
  const isCc = Uint8Array.from(p.tracks, ({ kind, name }) => Number(kind === 'queue' && isCcQueue(name)));
  const { track } = p.transfers;
  const isOne = new Uint8Array(track.length);
  // most profiles have none
  if (isCc.includes(1)) for (let t = 0; t < track.length; t++) isOne[t] = isCc[track[t]];
  return isOne;
}

export function collectiveTotals(p: Profile): CollectiveTotals {
  const isOne = areCollectives(p);
  const ran = select(p.transfers, row => isOne[row] === 1);
  const { startNs, readyNs } = p.transfers;
  let waitNs = 0;
  for (let t = 0; t < isOne.length; t++) if (isOne[t] === 1) waitNs += startNs[t] - readyNs[t];
  return { count: ran.startNs.length, sumNs: lengthNs(ran), activeNs: lengthNs(union(ran)), waitNs };
}

/** A rank's part of a collective. */
export interface CollectivePart {
  p: Profile;
  own: RankCollective;
}

/** Of the ranks of a run: by the number of each collective, its parts. */
export function collectiveParts(profiles: readonly Profile[]): Map<number, CollectivePart[]> {
  const parts = new Map<number, CollectivePart[]>();
  for (const p of profiles)
    for (const own of p.rank?.collectives ?? []) {
      const known = parts.get(own.number);
      if (known) known.push({ p, own });
      else parts.set(own.number, [{ p, own }]);
    }
  return parts;
}

const byRow = new WeakMap<RankOfRun, ReadonlyMap<number, RankCollective>>();

/** The collective that an event is this rank's part of; undefined: it is none. */
export function collectiveOf(p: Profile, event: EventId): RankCollective | undefined {
  if (!p.rank || !isTransfer(p, event)) return undefined;
  let known = byRow.get(p.rank);
  if (!known) {
    known = new Map(p.rank.collectives.map(each => [each.transfer, each]));
    byRow.set(p.rank, known);
  }
  return known.get(transferRow(p, event));
}

/** The resource of an event: an engine, the DMA engines, or `collectives`. */
export function resourceOf(p: Profile, event: EventId): string {
  if (!isTransfer(p, event)) return p.tracks[eventValue(p, event, 'track')].engine;
  return collectiveOf(p, event) ? 'collectives' : 'DMA';
}
