/** A run on several ranks as one: its table, each collective with its skew and who came last; and what a rank's own analyses say of collectives. */
import assert from 'node:assert/strict';
import { bounds } from '../../../src/simulator/analyze/bounds';
import { collectiveOf } from '../../../src/simulator/analyze/collectives';
import { describeEvent } from '../../../src/simulator/analyze/events';
import { lines } from '../../../src/simulator/analyze/lines';
import { ranksOfRun } from '../../../src/simulator/analyze/ranks';
import { summary } from '../../../src/simulator/analyze/summary';
import { warnings } from '../../../src/simulator/analyze/warnings';
import { machineCode } from '../../../src/simulator/experiments/machineCode';
import { NoExperiment } from '../../../src/simulator/experiments/noExperiment';
import { ranksJson, ranksText } from '../../../src/simulator/formats/ranksText';
import { simulateRanks } from '../../../src/simulator/simulateRanks';
import { type RankStep, rankProgram } from '../../support/ranks';

const ALL: RankStep = ['all_reduce', 0, 1, 2];

describe('a run on several ranks', () => {
  const profiles = simulateRanks(
    [
      [ALL, 'work', ALL],
      ['work', 'work', ALL, ALL],
      [ALL, 'work', 'work', 'work', ALL],
    ].map(steps => {
      const whole = rankProgram(steps as RankStep[]);
      return { whole, cores: [whole] };
    }),
  );
  const run = ranksOfRun(profiles);

  it('has each collective once, with its ranks, how far apart they came, and the line that took the last one longest', () => {
    assert.deepEqual(
      run.collectives.map(({ name, ranks, last, position }) => [name, ranks, last.rank, last.line, position.line]),
      [
        ['all_reduce', [0, 1, 2], 1, 1, 1],
        ['all_reduce', [0, 1, 2], 2, 3, 3],
      ],
    );
    for (const { number, skewNs, startNs, durationNs } of run.collectives) {
      const parts = profiles.flatMap(p =>
        p.rank!.collectives.filter(each => each.number === number).map(each => ({ p, row: each.transfer })),
      );
      const ready = parts.map(({ p, row }) => p.transfers.readyNs[row]);
      assert.ok(Math.abs(skewNs - (Math.max(...ready) - Math.min(...ready))) < 0.01);
      for (const { p, row } of parts) assert.deepEqual([p.transfers.startNs[row], p.transfers.endNs[row]], [startNs, startNs + durationNs]);
    }
  });

  it('of which one is known says from its own profile who was late, and how late', () => {
    const [own] = ranksOfRun([profiles[0]]).collectives;
    assert.equal(own.last.rank, 1);
    assert.ok(Math.abs(own.skewNs - (own.startNs - profiles[0].transfers.readyNs[profiles[0].rank!.collectives[0].transfer])) < 1);
  });

  it('says of a message to whom each rank sends', () => {
    const ring = [0, 1, 2].map(() => rankProgram([['collective_permute', 0, 1, 2], ALL]));
    const sent = simulateRanks(ring.map(whole => ({ whole, cores: [whole] })));
    assert.deepEqual(
      sent.map(({ rank }) => rank!.collectives.map(({ sendsTo }) => sendsTo)),
      [
        [[1], undefined],
        [[2], undefined],
        [[0], undefined],
      ],
    );
    const places = sent.map(p => [summary(p)['nd_idx'], summary(p)['nc_idx']]);
    assert.deepEqual(places, [
      [0, 0],
      [0, 1],
      [0, 2],
    ]);
  });

  it('is a table, and the same in JSON, in whatever order the profiles come', () => {
    const text = ranksText([...profiles].reverse());
    assert.match(text, /^\S+ on 3 ranks of trn2.48xlarge: rank \d ends last\n/);
    assert.match(text, /all_reduce +1 +256 KiB +mesh .* rank 1, held up at line 1\n/);
    assert.match(text, /\nRank 2 came .* to all_reduce of line 3\. .*\n +rank 2 +rank \d\n +line \d .*\n/);
    const json = JSON.parse(ranksJson(profiles));
    assert.deepEqual(
      json.ranks.map((each: { wait_ns: number; cc_op_count: number }) => [each.cc_op_count, each.wait_ns]),
      run.ranks.map(({ count, waitNs }) => [count, waitNs]),
    );
    assert.equal(json.collectives[1].skew_ns, run.collectives[1].skewNs);
    const { last_rank, lines: why } = json.collectives[1].straggler;
    assert.equal(last_rank, 2);
    assert.ok(why[0].last_rank_ns - why[0].first_rank_ns > json.collectives[1].skew_ns / 3);
    assert.throws(() => ranksOfRun([profiles[0], { ...profiles[1], kernel: 'another' }]), /not profiles of the ranks of one run/);
  });

  it('counts collectives as such in a rank: in its summary, on its critical path, in what events say; not as its DMA', () => {
    const [p] = profiles;
    const metrics = summary(p);
    assert.equal(metrics['cc_op_count'], 2);
    assert.ok(Number(metrics['cc_op_active_time']) > 0);
    assert.equal(metrics['dma_transfer_count'], p.transfers.startNs.length - 2);
    const small = warnings(p).filter(({ rule }) => rule === 'small-dma');
    assert.deepEqual(small, [], 'their transfers of 256 KiB are not small, and collectives are none of them');
    const path = bounds(p).path.map(({ name }) => name);
    assert.ok(path.includes('collectives') && path.includes('other rank'), path.join());
    const event = p.instructions.startNs.length + p.rank!.collectives[0].transfer;
    const described = describeEvent(p, event);
    assert.deepEqual([described.opcode, described.operands, described.dma], ['all_reduce', 'mesh, 256 KiB', null]);
    assert.equal(collectiveOf(p, event)?.number, described.collective?.number);
    assert.ok(lines(p).find(({ line }) => line === 1)!.timeNs > 0);
  });

  it('has no experiments of one rank', () => {
    assert.throws(() => machineCode(profiles[0]), NoExperiment);
    assert.throws(() => machineCode(profiles[0]), /one of several ranks/);
  });
});
