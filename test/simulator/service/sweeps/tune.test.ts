/** Tuning through real processes: the fastest with the same values, and what is said of it. */
import assert from 'node:assert/strict';
import { tune } from '../../../../src/simulator/service/sweeps/tune';
import { certainty, certaintyText } from '../../../../src/simulator/variants/certainty';
import { type SweepDescription, sweepPlan } from '../../../../src/simulator/variants/description';
import { testDist } from '../../../support/dist';
import { temporaryFolder } from '../../../support/temporary';

/** Faster with larger tiles; `SKIP` is faster still, and wrong; `ORDER` changes the rounding. */
const KERNEL = `import nki
import nki.isa as nisa
import nki.language as nl
TILE = 64
SKIP = 0
ORDER = 0


@nki.jit
def sums(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for k in range(0, a.shape[1], TILE):
        tile = nl.ndarray((128, TILE), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=a[:, k:k + TILE])
        terms = [0.1, 3.7, -2.9]
        for term in reversed(terms) if ORDER else terms:
            nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=term)
        if not SKIP or k == 0:
            nisa.dma_copy(dst=out[:, k:k + TILE], src=tile)
    return out
`;

describe('tuning @long', () => {
  const folder = temporaryFolder();
  const args = { a: 'fp32[128,1024]' };

  async function tuned(description: SweepDescription, tolerance = 0.01, budget = 40) {
    const file = folder.write('space/kernel.py', KERNEL);
    const plan = sweepPlan(
      { kernel: 'sums', args, ...description },
      { file, root: folder.path('space'), target: 'trn2', numerics: 'off' },
      KERNEL,
    );
    return tune(plan, { dist: await testDist(), budget, seed: 1, nearShare: 0.01, tolerance });
  }

  it('finds the fastest, and leaves out a faster one that computes something else', async () => {
    const { best, rejected, rows, reason, values, floorNs } = await tuned({ set: { TILE: '64:512:*2', SKIP: [0, 1] } });
    assert.equal(reason, 'all tried');
    assert.equal(rows.length, 8);
    const right = rows.filter(row => row.parameters.SKIP === 0).map(row => row.totalTimeNs!);
    assert.deepEqual([best!.parameters.SKIP, best!.totalTimeNs], [0, Math.min(...right)]);
    assert.ok(rejected.length > 0 && rejected.every(row => row.parameters.SKIP === 1 && row.totalTimeNs! <= best!.totalTimeNs!));
    assert.equal(values!.verdict, 'same');
    assert.ok(floorNs! > 0 && floorNs! < best!.totalTimeNs!);
  });

  it('takes outputs that differ by their rounding as the same within the tolerance, and as others beyond it', async () => {
    const slow = await tuned({
      points: [
        { TILE: 64, ORDER: 0 },
        { TILE: 512, ORDER: 1 },
      ],
      set: { TILE: [64, 512], ORDER: [0, 1] },
    });
    assert.equal(slow.best!.parameters.ORDER, 1);
    assert.equal(slow.values!.verdict, 'near');
    assert.ok(slow.values!.relativeError! > 0 && slow.values!.relativeError! < 1e-5);
    const strict = await tuned(
      {
        points: [
          { TILE: 64, ORDER: 0 },
          { TILE: 512, ORDER: 1 },
        ],
        set: { TILE: [64, 512], ORDER: [0, 1] },
      },
      1e-12,
    );
    assert.deepEqual(strict.best!.parameters, { TILE: 64, ORDER: 0 });
    assert.equal(strict.rejected.length, 1);
  });

  it('keeps to its budget', async () => {
    const { rows, reason } = await tuned({ set: { TILE: '64:512:*2', ORDER: [0, 1] } }, 0.01, 3);
    assert.deepEqual([rows.length, reason], [3, 'budget']);
  });

  it('is for one problem on one target', async () => {
    await assert.rejects(
      tuned({ args: { a: 'fp32[128,{512,1024}]' } }),
      /a\[1\] has several values: tune searches settings of one problem/,
    );
    await assert.rejects(tuned({ target: 'trn2,trn3' }), /target has several values/);
  });

  it('says which settings may be faster on hardware', async () => {
    const { rows } = await tuned({ set: { TILE: '64:512:*2' } });
    const sure = certainty(rows)!;
    assert.equal(sure.best.totalTimeNs, Math.min(...rows.map(row => row.totalTimeNs!)));
    for (const row of sure.rivals) assert.ok(row.likelyNs![0] < sure.best.likelyNs![1]);
    assert.match(certaintyText(sure), /In the model the next one takes [\d.]+ % longer[,.] .*(overlap|overlaps) with its range/);
    assert.equal(certainty(rows.map(row => ({ ...row, totalTimeNs: null }))), null);
    const apart = rows.map((row, k) => ({ ...row, totalTimeNs: 10 ** k, likelyNs: [0.9 * 10 ** k, 1.1 * 10 ** k] as [number, number] }));
    assert.match(certaintyText(certainty(apart)!), /No likely range of another setting overlaps/);
  });
});
