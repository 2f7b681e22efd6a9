/** Busy intervals that are packed before the page asks for them: once, after the first part, and never those of another profile. */
import assert from 'node:assert/strict';
import { PackedAhead } from '../../src/extension/timeline/packedAhead';
import { encodeProfile } from '../../src/simulator/index';
import { firstPart, slicesPart } from '../../src/simulator/profile/parts';
import { syntheticProfile } from '../support/syntheticProfile';

const containerOf = (seed: number) => encodeProfile(syntheticProfile(60, seed));
const nextTurn = () => new Promise(resolve => setTimeout(resolve, 5));

function counting() {
  const packed: Uint8Array[] = [];
  const ahead = new PackedAhead(async bytes => {
    packed.push(bytes);
    return bytes.slice(0, 8);
  }, 0);
  return { packed, ahead };
}

describe('busy intervals packed ahead', () => {
  it('are the same array that the page is given, packed once', async () => {
    const { packed, ahead } = counting();
    const container = containerOf(1);
    const first = firstPart(container, 0);
    ahead.expect(first, container);
    await ahead.packed(first);
    await nextTurn();
    assert.equal(packed.length, 2, 'the first part, then the rest');
    const slices = ahead.slicesOf(container);
    assert.deepEqual(slices, slicesPart(container));
    assert.equal(packed[1], slices);
    await ahead.packed(slices);
    assert.equal(packed.length, 2);
    assert.notEqual(ahead.slicesOf(container), slices, 'nothing is kept once it was sent');
  });

  it('are those of the profile that is asked for, whatever was expected', async () => {
    const { packed, ahead } = counting();
    const [old, newer] = [containerOf(1), containerOf(2)];
    ahead.expect(firstPart(old, 0), old);
    const first = firstPart(newer, 0);
    ahead.expect(first, newer);
    await ahead.packed(first);
    await nextTurn();
    assert.deepEqual(ahead.slicesOf(old), slicesPart(old));
    assert.deepEqual(ahead.slicesOf(newer), slicesPart(newer));
    assert.equal(packed.length, 2, 'nothing of the older one');
  });

  it('are made when they are asked for before that', () => {
    const { packed, ahead } = counting();
    const container = containerOf(3);
    ahead.expect(firstPart(container, 0), container);
    assert.deepEqual(ahead.slicesOf(container), slicesPart(container));
    assert.equal(packed.length, 0);
  });
});
