/**
 * How chips are connected, and what a collective of ranks costs there: topologies, algorithms by size, latencies, bandwidths. Which
 * formula makes a time of these numbers is `collectiveCost.ts`.
 */
import { assumed, documented, type Fact, fitted } from './facts';

/** How ranks exchange data, as `nccom-test --show-algorithm` names it. */
export const ALGORITHMS = ['ring', 'mesh', 'rdh', 'kangaring'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

export interface Topology {
  /** As AWS calls the instance or server. */
  name: string;
  /** The target whose cores it has. */
  target: string;
  chips: Fact;
  /** Physical cores of a chip: as many ranks, or half of them with two cores to a rank. */
  coresPerChip: Fact;
  /** Chips that are connected at full bandwidth. */
  chipsPerInstance: Fact;
  /** Between instances, of the bandwidth inside one. */
  betweenInstancesShare: Fact;
  network: Network;
}

/** What moving data between chips of one generation takes. */
export interface Network {
  /** From the last rank's trigger to the first hop, and from the last hop to the semaphore. */
  startNs: Fact;
  /** One step of an algorithm, whatever it moves. */
  hopNs: Fact;
  /** What a rank moves in a step, by algorithm. */
  bytesPerNs: Readonly<Record<Algorithm, Fact>>;
  /** Up to this size of the larger buffer a group of whole chips takes `mesh`. */
  meshBytes: Fact;
  /** Up to this size a group of all chips of an instance takes `rdh`, one of fewer chips in proportion; above, `kangaring`. */
  rdhBytes: Fact;
}

const MIB = 2 ** 20;
const NO_ALGORITHMS = 'on Trn1 rings serve all sizes: about/collectives has flat rings for Trn1 and the others for Trn2';

const trn1Network: Network = {
  startNs: fitted(50_350, 'ns', ['nccom-r2-allr-64k'], 'nccom-test -r 2 allr: 58 us up to 64 KiB, less two hops'),
  // the documented 1 to 2 us are of Trn2
  hopNs: fitted(
    3250,
    'ns',
    ['nccom-r32-allg-check-1k'],
    'nccom-test -r 32 --check allg: 151 us for 1 KiB in 31 hops, -r 2 allr: 58 us in 2',
  ),
  bytesPerNs: {
    ring: fitted(56.9, 'bytes/ns', ['nccom-r2-allr-1024m'], 'nccom-test -r 2 allr: 1 GiB in 18.93 ms'),
    mesh: assumed(56.9, 'bytes/ns', NO_ALGORITHMS),
    rdh: assumed(56.9, 'bytes/ns', NO_ALGORITHMS),
    kangaring: assumed(56.9, 'bytes/ns', NO_ALGORITHMS),
  },
  meshBytes: assumed(0, 'bytes', NO_ALGORITHMS),
  rdhBytes: assumed(0, 'bytes', NO_ALGORITHMS),
};

const trn2Network: Network = {
  startNs: fitted(3160, 'ns', ['nccom-r32-allg-1k'], 'nccom-test -r 32 allg, the newer run: 6.16 us for 1 KiB, less two hops'),
  hopNs: assumed(1500, 'ns', 'intranode-collective-comm: 1 to 2 us a hop of a ring; the middle'),
  bytesPerNs: {
    ring: assumed(107, 'bytes/ns', 'intranode-collective-comm: as kangaring, for it has both at full use of the links'),
    mesh: fitted(30, 'bytes/ns', ['nccom-r32-allg-512k'], 'nccom-test -r 32 allg, the newer run: 512 KiB in 23.16 us'),
    rdh: assumed(53, 'bytes/ns', 'intranode-collective-comm: half of kangaring, for it has partial over-subscription of the links'),
    kangaring: fitted(107, 'bytes/ns', ['nccom-r16-allr-512m'], 'nccom-test -r 16 allr: 512 MiB in 9.69 ms'),
  },
  meshBytes: documented(MIB, 'bytes', 'intranode-collective-comm: mesh below 1 MB'),
  // in proportion, because of nccom-test -r 16 allr --show-algorithm: rdh at 2 MiB, kangaring at 32 MiB
  rdhBytes: documented(56 * MIB, 'bytes', 'intranode-collective-comm: RDH from 1 to 56 MB, KangaRing above'),
};

const sameNetwork = 'collectives on Trn3: taken over from Trn2';
const trn3Network: Network = {
  startNs: assumed(trn2Network.startNs.value, 'ns', sameNetwork),
  hopNs: assumed(trn2Network.hopNs.value, 'ns', sameNetwork),
  bytesPerNs: {
    ring: assumed(107, 'bytes/ns', sameNetwork),
    mesh: assumed(107, 'bytes/ns', 'trn3-arch: switches join all chips with all, no link is over-subscribed'),
    rdh: assumed(107, 'bytes/ns', sameNetwork),
    kangaring: assumed(107, 'bytes/ns', sameNetwork),
  },
  meshBytes: assumed(MIB, 'bytes', sameNetwork),
  rdhBytes: assumed(56 * MIB, 'bytes', sameNetwork),
};

/** The first of a target is what its ranks run on unless another is asked for. */
export const TOPOLOGIES: readonly Topology[] = [
  {
    name: 'trn1.32xlarge',
    target: 'trn1',
    chips: documented(16, 'count', 'trn1-arch: 16 chips in a two-dimensional torus'),
    coresPerChip: documented(2, 'count', 'trn1-arch'),
    chipsPerInstance: documented(16, 'count', 'trn1-arch'),
    betweenInstancesShare: documented(1, 'fraction', 'trn1-arch: it is one instance'),
    network: trn1Network,
  },
  {
    name: 'trn2.48xlarge',
    target: 'trn2',
    chips: documented(16, 'count', 'trn2-arch: 16 chips in a torus of 4 x 4'),
    coresPerChip: documented(8, 'count', 'trn2-arch'),
    chipsPerInstance: documented(16, 'count', 'trn2-arch'),
    betweenInstancesShare: documented(1, 'fraction', 'trn2-arch: it is one instance'),
    network: trn2Network,
  },
  {
    name: 'trn2u.48xlarge-ultraserver',
    target: 'trn2',
    chips: documented(64, 'count', 'trn2-arch: 4 instances of 16 chips'),
    coresPerChip: documented(8, 'count', 'trn2-arch'),
    chipsPerInstance: documented(16, 'count', 'trn2-arch'),
    betweenInstancesShare: documented(0.25, 'fraction', 'trn2-arch: 256 GB/s per chip between instances, 1024 inside'),
    network: trn2Network,
  },
  {
    name: 'trn3-gen1-ultraserver',
    target: 'trn3',
    chips: documented(64, 'count', 'trn3-arch: 4 servers of 16 chips behind switches'),
    coresPerChip: documented(8, 'count', 'trn3-arch'),
    chipsPerInstance: documented(16, 'count', 'trn3-arch'),
    betweenInstancesShare: assumed(
      1,
      'fraction',
      'trn3-arch: 320 GB/s per chip in the rack and 256 in the server: no less between servers',
    ),
    network: trn3Network,
  },
  {
    name: 'trn3-gen2-ultraserver',
    target: 'trn3',
    chips: documented(144, 'count', 'trn3-arch: 36 servers of 4 chips behind switches'),
    coresPerChip: documented(8, 'count', 'trn3-arch'),
    chipsPerInstance: documented(4, 'count', 'trn3-arch'),
    betweenInstancesShare: assumed(
      1,
      'fraction',
      'trn3-arch: 320 GB/s per chip in the rack and 256 in the server: no less between servers',
    ),
    network: trn3Network,
  },
];

export const TOPOLOGY_NAMES: readonly string[] = TOPOLOGIES.map(({ name }) => name);

/**
 * A target without topologies in the list uses those of the newest target.
 * @throws Error for a name that is none, or of another target; it lists those there are.
 */
export function topologyFor(target: string, name?: string): Topology {
  const known = TOPOLOGIES.some(topology => topology.target === target) ? target : TOPOLOGIES[TOPOLOGIES.length - 1].target;
  const own = TOPOLOGIES.filter(topology => topology.target === known);
  const found = name === undefined ? own[0] : own.find(topology => topology.name === name);
  if (!found) throw new Error(`${name} is not one of ${target}: ${own.map(topology => topology.name).join(', ')}`);
  return found;
}

/** Ranks that have room, of one physical core or two each. */
export const mostRanks = ({ chips, coresPerChip }: Topology, coresPerRank: number) => (chips.value * coresPerChip.value) / coresPerRank;

/** Of the largest topology, with one physical core to a rank. */
export const MOST_RANKS = Math.max(...TOPOLOGIES.map(topology => mostRanks(topology, 1)));
