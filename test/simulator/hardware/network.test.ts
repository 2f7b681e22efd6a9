/** Topologies and the cost of collectives on them: which algorithm a size takes, and what must hold of every time. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { collectiveCost, leastCollectiveNs } from '../../../src/simulator/hardware/collectiveCost';
import { mostRanks, TOPOLOGIES, topologyFor } from '../../../src/simulator/hardware/network';
import { TARGETS } from '../../../src/simulator/hardware/targets';

const first = (count: number, step = 1) => Array.from({ length: count }, (_, k) => k * step);
const MIB = 2 ** 20;

describe('collectives on topologies', () => {
  const trn2 = topologyFor('trn2');
  const kind = (name: string, bytes: number, list: readonly number[]) => ({ name, bytes, list, coresPerRank: 2, isContinued: false });
  const algorithm = (bytes: number, list: readonly number[]) => collectiveCost(trn2, kind('all_gather', bytes, list)).algorithm;

  it('has one for every target, and says which there are', () => {
    for (const target of TARGETS) assert.equal(topologyFor(target).target, target);
    assert.throws(() => topologyFor('trn2', 'trn1.32xlarge'), /trn1.32xlarge is not one of trn2: trn2.48xlarge, trn2u/);
    assert.deepEqual([mostRanks(trn2, 1), mostRanks(trn2, 2)], [128, 64]);
  });

  it('chooses the algorithm by size where whole chips take part, and a ring where they do not', () => {
    assert.deepEqual(
      [MIB / 2, 8 * MIB, 64 * MIB].map(bytes => algorithm(bytes, first(64))),
      ['mesh', 'rdh', 'kangaring'],
    );
    assert.equal(algorithm(MIB / 2, first(16, 4)), 'ring');
    assert.equal(collectiveCost(topologyFor('trn1'), kind('all_reduce', 64, first(32))).algorithm, 'ring');
  });

  it('costs more for more bytes of one algorithm, between instances, and for a reduction at every rank; never less than its least', () => {
    const names = ['all_reduce', 'all_gather', 'reduce_scatter', 'all_to_all', 'collective_permute', 'all_to_all_v'];
    fc.assert(
      fc.property(
        fc.constantFrom(...TOPOLOGIES),
        fc.constantFrom(...names),
        fc.integer({ min: 2, max: 64 }),
        fc.integer({ min: 1, max: 2 ** 30 }),
        (topology, name, ranks, bytes) => {
          const list = first(Math.min(ranks, mostRanks(topology, 1)));
          const cost = (size: number) => collectiveCost(topology, { ...kind(name, size, list), coresPerRank: 1 });
          const [one, two] = [cost(bytes), cost(2 * bytes)];
          assert.ok(one.durationNs >= leastCollectiveNs(topology));
          if (one.algorithm === two.algorithm) assert.ok(two.durationNs > one.durationNs);
        },
      ),
      { seed: 20, numRuns: 400 },
    );
    const ultra = topologyFor('trn2', 'trn2u.48xlarge-ultraserver');
    const wide = kind('all_gather', 256 * MIB, first(256));
    const within = kind('all_gather', 256 * MIB, first(64));
    assert.ok(collectiveCost(ultra, wide).durationNs > 3 * collectiveCost(ultra, within).durationNs);
    const reduced = collectiveCost(trn2, kind('all_reduce', 64 * MIB, first(64))).durationNs;
    assert.ok(reduced > 1.9 * collectiveCost(trn2, kind('reduce_scatter', 64 * MIB, first(64))).durationNs);
  });

  it('starts coalesced tensors once', () => {
    const one = kind('all_reduce', MIB, first(8));
    const more = collectiveCost(trn2, { ...one, isContinued: true }).durationNs;
    assert.ok(more < collectiveCost(trn2, one).durationNs - trn2.network.startNs.value);
  });
});
