/**
 * A run on several ranks as one: what each rank did, and each collective with all of its ranks: how far apart they came, who came last and from
 * which line. From the ranks' profiles, which have one clock.
 */
import { rowValue } from '../profile/onDemand';
import type { Profile } from '../profile/profile';
import { type CollectivePart, type CollectiveTotals, collectiveParts, collectiveTotals } from './collectives';
import { framePosition, type Position } from './places';
import { arrivalNs, heldUpAt } from './straggler';

export interface RankRow extends CollectiveTotals {
  rank: number;
  /** Of a capture that does not number its ranks: process and core. */
  process?: string;
  totalNs: number;
  bodyNs: number;
}

/** A collective of several ranks. */
export interface RankedCollective {
  /** Among those of the run. */
  number: number;
  name: string;
  algorithm: string;
  bytes: number;
  ranks: number[];
  startNs: number;
  durationNs: number;
  /** From the arrival of the first rank to that of the last. */
  skewNs: number;
  /** The last rank, and the line that delayed it; line 0 if it is not known. */
  last: { rank: number; file: string; line: number };
  /** Position of the call on the first of its ranks. */
  position: Position;
}

export interface RanksOfRun {
  kernel: string;
  topology: string;
  ranks: RankRow[];
  /** Sorted by start. */
  collectives: RankedCollective[];
  /** The rank whose body ends last. */
  slowest: number;
}

/** @throws Error for profiles that are not the ranks of one run */
export function ranksOfRun(profiles: readonly Profile[]): RanksOfRun {
  const [first] = profiles;
  if (!first?.rank || profiles.some(({ rank, kernel }) => rank?.ranks !== first.rank!.ranks || kernel !== first.kernel))
    throw new Error('these are not profiles of the ranks of one run');
  const ordered = [...profiles].sort((a, b) => a.rank!.rank - b.rank!.rank);
  const slowest = ordered.reduce((a, b) => (b.bodyEndNs > a.bodyEndNs ? b : a));
  return {
    kernel: first.kernel,
    topology: first.rank.topology,
    ranks: ordered.map(p => ({
      rank: p.rank!.rank,
      process: p.rank!.process,
      totalNs: p.totalTimeNs,
      bodyNs: p.bodyEndNs - p.bodyStartNs,
      ...collectiveTotals(p),
    })),
    collectives: together(ordered),
    slowest: slowest.rank!.rank,
  };
}

const together = (profiles: readonly Profile[]): RankedCollective[] =>
  [...collectiveParts(profiles).values()].map(described).sort((a, b) => a.startNs - b.startNs || a.number - b.number);

function described(parts: readonly CollectivePart[]): RankedCollective {
  const [{ p, own }] = parts;
  const { number, name, algorithm, bytes, transfer } = own;
  const [startNs, endNs, frame] = (['startNs', 'endNs', 'frame'] as const).map(column => rowValue(p.transfers, column, transfer));
  const arrivals = parts.map(part => arrivalNs(part.p, part.own.transfer));
  const latest = arrivals.indexOf(Math.max(...arrivals));
  // the last one has waited for none: the others say what kept it, also where its own profile is not among these
  const late = parts.flatMap(part => part.own.late ?? [])[0];
  const absent = late && !parts.some(part => part.p.rank!.rank === late.rank) ? late : null;
  return {
    number,
    name,
    algorithm,
    bytes,
    ranks: parts.map(part => part.p.rank!.rank),
    startNs,
    durationNs: endNs - startNs,
    skewNs: Math.max(...arrivals, absent ? absent.atNs - endNs : Number.NEGATIVE_INFINITY) - Math.min(...arrivals),
    last: late ? { rank: late.rank, file: late.file, line: late.line } : lastOf(parts, parts[latest].p.rank!.rank),
    position: framePosition(p, frame),
  };
}

/** Captures do not say who was late: their ranks together do. */
function lastOf(parts: readonly CollectivePart[], rank: number) {
  const place = heldUpAt(parts);
  return place?.rank === rank ? place : { rank, file: '', line: 0 };
}
