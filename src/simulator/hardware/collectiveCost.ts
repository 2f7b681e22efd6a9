/**
 * Time of a collective once all of its ranks are there: a start, the steps of the algorithm, and what each rank moves at the algorithm's rate.
 * Source of steps and sizes: aws-neuron-sdk neuron-runtime/explore/intranode-collective-comm.rst.
 */
import type { Algorithm, Topology } from './network';

export interface CollectiveKind {
  /** `all_reduce` and so on: the collective's name without its module. */
  name: string;
  /** Of the larger one of a rank's two buffers. */
  bytes: number;
  /** Ranks that take part. */
  list: readonly number[];
  /** Physical cores of a rank. */
  coresPerRank: number;
  /** A tensor that is coalesced with the one before: they are started together. */
  isContinued: boolean;
}

export interface CollectiveCost {
  algorithm: Algorithm;
  durationNs: number;
}

/** A rank sends all of the larger buffer in a permutation, all but its own part in the others, and that twice in a reduction for all. */
const ROUNDS: Readonly<Record<string, number>> = { all_reduce: 2 };
const roundsOf = (name: string) => ROUNDS[name] ?? 1;
const isPermute = (name: string) => name.startsWith('collective_permute');

export function collectiveCost(topology: Topology, kind: CollectiveKind): CollectiveCost {
  const { startNs, hopNs, bytesPerNs } = topology.network;
  const chips = chipsOf(topology, kind);
  const algorithm = algorithmOf(topology, kind, chips);
  const ranks = kind.list.length;
  const moved = movedBytes({ name: kind.name, bytes: kind.bytes, ranks });
  const steps = isPermute(kind.name) ? 1 : roundsOf(kind.name) * stepsOf(algorithm, ranks, chips.size);
  const rate = bytesPerNs[algorithm].value * shareBetween(topology, chips);
  return { algorithm, durationNs: (kind.isContinued ? 0 : startNs.value + steps * hopNs.value) + moved / rate };
}

/** Bytes that a rank sends; over the time they are what `nccom-test` calls the bus bandwidth. @param bytes of the larger buffer */
export const movedBytes = ({ name, bytes, ranks }: { name: string; bytes: number; ranks: number }): number =>
  isPermute(name) ? bytes : (roundsOf(name) * bytes * (ranks - 1)) / ranks;

/** Shortest time between the arrival of the last rank and the end, whatever is moved. */
export const leastCollectiveNs = ({ network }: Topology) => network.startNs.value + network.hopNs.value;

const ranksPerChip = ({ coresPerChip }: Topology, { coresPerRank }: CollectiveKind) => Math.max(1, coresPerChip.value / coresPerRank);

function chipsOf(topology: Topology, kind: CollectiveKind): Set<number> {
  const perChip = ranksPerChip(topology, kind);
  return new Set(kind.list.map(rank => Math.floor(rank / perChip)));
}

/** By size where the group has whole chips; a ring else. Ranks of one chip reach each other directly. */
function algorithmOf(topology: Topology, kind: CollectiveKind, chips: ReadonlySet<number>): Algorithm {
  const { meshBytes, rdhBytes } = topology.network;
  if (isPermute(kind.name) || meshBytes.value === 0) return 'ring';
  if (kind.name.startsWith('all_to_all')) return 'mesh';
  const isWhole = kind.list.length === chips.size * ranksPerChip(topology, kind);
  if (!isWhole && chips.size > 1) return 'ring';
  if (kind.bytes < meshBytes.value) return 'mesh';
  const isPower = (chips.size & (chips.size - 1)) === 0;
  const ofChips = Math.min(1, chips.size / topology.chipsPerInstance.value);
  if (kind.bytes <= rdhBytes.value * ofChips && isPower) return 'rdh';
  return isWhole ? 'kangaring' : 'ring';
}

/** Of one round. Steps between chips come with one inside the chips. */
function stepsOf(algorithm: Algorithm, ranks: number, chips: number): number {
  if (algorithm === 'mesh') return chips > 1 ? 2 : 1;
  if (algorithm === 'rdh') return Math.log2(chips) + 1;
  return algorithm === 'kangaring' ? ranks / 2 : ranks - 1;
}

function shareBetween({ chipsPerInstance, betweenInstancesShare }: Topology, chips: ReadonlySet<number>): number {
  const instances = new Set([...chips].map(chip => Math.floor(chip / chipsPerInstance.value)));
  return instances.size > 1 ? betweenInstancesShare.value : 1;
}
