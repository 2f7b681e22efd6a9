/** What a profile says of its own times is what the model does, and quotes every figure that was measured for it. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../src/simulator/compile/compiled';
import { MEASURED_ACCURACY } from '../../../src/simulator/hardware/measuredAccuracy';
import { machineFor, TARGETS } from '../../../src/simulator/hardware/targets';
import { accuracyStatement } from '../../../src/simulator/profile/accuracy';
import { PIPELINES } from '../../../src/simulator/vocabulary/pipelines';

const statement = (pipeline: Compiled['pipeline'], target: string) =>
  accuracyStatement({ machine: machineFor(target), pipeline, assumed: [] });

describe('the accuracy statement', () => {
  it('names the merging that rewritten kernels have, and does not deny it', () => {
    const text = statement('rewriting', 'trn2');
    assert.match(text, /small reductions and neighbouring loads and stores merged/);
    assert.doesNotMatch(text, /(reductions|stores)[^.]* not modelled/);
  });

  it('quotes each measured figure in some profile', () => {
    const all = PIPELINES.flatMap(pipeline => TARGETS.map(target => statement(pipeline, target)));
    for (const [key, { rows, meanPercent }] of Object.entries(MEASURED_ACCURACY))
      assert.ok(
        all.some(text => text.includes(`Against ${rows} published times of such kernels the error is ${meanPercent} %`)),
        key,
      );
  });
});
