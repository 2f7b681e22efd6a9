/** A change that is smaller than what the model can tell apart is shown as such. */
import assert from 'node:assert/strict';
import {
  isTooSmallShare,
  modelledChangeText,
  SMALL_MARK_MEANS,
  slowerText,
  smallMarkNote,
} from '../../../src/simulator/analyze/tellsApart';
import { TELLS_APART_PERCENT } from '../../../src/simulator/hardware/likelyFactors';

const [little, enough] = [TELLS_APART_PERCENT / 250, TELLS_APART_PERCENT / 50];

describe('changes of modelled times', () => {
  it('are too small below what the model can tell apart, in both directions; no change is none', () => {
    assert.deepEqual([little, -little, enough, -enough, 0].map(isTooSmallShare), [true, true, false, false, false]);
    assert.equal(isTooSmallShare(TELLS_APART_PERCENT / 100), false);
  });

  it('are marked where they are too small', () => {
    assert.match(modelledChangeText(-little), /^≈ −[\d.]+ %$/);
    assert.match(modelledChangeText(enough), /^\+[\d.]+ %$/);
    assert.equal(modelledChangeText(0), '0 %');
    assert.equal(modelledChangeText(1e-9), '0 %');
    assert.match(slowerText(little), /^≈ \+[\d.]+ %$/);
    assert.match(slowerText(enough), /^\+[\d.]+ %$/);
  });

  it('come with what the mark means, only where there is one', () => {
    assert.equal(smallMarkNote([enough, 0]), '');
    assert.equal(smallMarkNote([enough, -little]), SMALL_MARK_MEANS);
    assert.ok(SMALL_MARK_MEANS.includes(`${TELLS_APART_PERCENT} %`));
  });
});
