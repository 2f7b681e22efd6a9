/**
 * Ranks that run side by side from the same moment and wait for each other in collectives. What happens on one rank reaches another only
 * through a collective, and no sooner than the shortest of them lasts: so far a rank may run ahead of the others.
 */
import { type Arrival, type LastRank, Rendezvous } from './rendezvous';
import { type Core, CoresTogether, type Departures } from './schedule';
import type { Schedule } from './times';

/** Of each core of a rank: its transfers that are parts of collectives -> which collective of all, and on which of its CC cores. */
export type OwnCollectives = ReadonlyMap<number, { collective: number; queue: number }>;

export interface RankToSchedule {
  cores: readonly Core[];
  collectives: readonly OwnCollectives[];
}

/** What a collective cost a core of a rank: by its transfers. */
export interface RankWait {
  core: number;
  transfer: number;
  collective: number;
  last: LastRank;
}

export interface ScheduledRank {
  times: Schedule[];
  waits: RankWait[];
}

/** @param durationsNs of each collective from its last rank's arrival on @throws DeadlockError */
export function scheduleRanks(ranks: readonly RankToSchedule[], durationsNs: Float64Array): ScheduledRank[] {
  const expected = new Uint32Array(durationsNs.length);
  for (const { collectives } of ranks) for (const own of collectives) for (const { collective } of own.values()) expected[collective]++;
  const points = new Rendezvous(durationsNs, expected);
  const waits: RankWait[][] = ranks.map(() => []);
  const runs = ranks.map(({ cores, collectives }, rank) => {
    const departures = collectives.map((own, core) => departuresOf(points, own, { rank, core }, waits[rank]));
    return new CoresTogether(cores, departures);
  });
  const aheadNs = durationsNs.reduce((least, each) => Math.min(least, each), Infinity);
  for (;;) {
    const [first, untilNs] = earliest(runs);
    if (first === null) break;
    do first.step();
    while (first.nextNs < untilNs + aheadNs);
  }
  return runs.map((run, rank) => ({ times: run.finish(), waits: waits[rank] }));
}

/** The run that is furthest behind, and where the next one is; null when all have ended or wait for ever. */
function earliest(runs: readonly CoresTogether[]): [CoresTogether | null, number] {
  let first: CoresTogether | null = null;
  let [firstNs, secondNs] = [Infinity, Infinity];
  for (const run of runs) {
    const { nextNs } = run;
    if (nextNs < firstNs) [first, firstNs, secondNs] = [run, nextNs, firstNs];
    else if (nextNs < secondNs) secondNs = nextNs;
  }
  return [first, secondNs];
}

function departuresOf(points: Rendezvous, own: OwnCollectives, who: Pick<Arrival, 'rank' | 'core'>, waits: RankWait[]): Departures {
  return {
    has: transfer => own.has(transfer),
    depart(transfer, nowNs, settle) {
      const { collective, queue } = own.get(transfer)!;
      points.arrive(collective, {
        ...who,
        queue,
        atNs: nowNs,
        settle(startNs, endNs, last) {
          waits.push({ core: who.core, transfer, collective, last });
          settle(startNs, endNs, last.atNs > nowNs);
        },
      });
    },
  };
}
