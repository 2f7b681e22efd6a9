/** Parts that are packed before the page asks for them: each once, the busy intervals after the first part, and never those of another profile. */
import assert from 'node:assert/strict';
import { PackedAhead } from '../../src/extension/timeline/packedAhead';
import { encodeProfile } from '../../src/simulator/index';
import { withAnnotations } from '../../src/simulator/profile/codec';
import { decodeFirst, firstPart, slicesPart } from '../../src/simulator/profile/parts';
import { syntheticProfile } from '../support/syntheticProfile';

const containerOf = (seed: number) => encodeProfile(syntheticProfile(60, seed));
const nextTurn = () => new Promise(resolve => setTimeout(resolve, 5));

function counting() {
  const packed: Uint8Array[] = [];
  const pack = async (bytes: Uint8Array) => {
    packed.push(bytes);
    return bytes.slice(0, 8);
  };
  return { packed, ahead: new PackedAhead(pack, 0, 0) };
}

describe('parts packed ahead', () => {
  it('are both packed while the page loads, and given to it as they are', async () => {
    const { packed, ahead } = counting();
    const container = containerOf(1);
    ahead.prepare(container, container);
    await nextTurn();
    assert.deepEqual(packed, [firstPart(container, 0), slicesPart(container)]);
    const first = ahead.firstOf(container, container);
    assert.equal(first, packed[0]);
    await ahead.packed(first);
    await nextTurn();
    const slices = ahead.slicesOf(container);
    assert.equal(slices, packed[1]);
    await ahead.packed(slices);
    assert.equal(packed.length, 2, 'each once');
  });

  it('are made for a page that has loaded: the busy intervals while it has the first part', async () => {
    const { packed, ahead } = counting();
    const container = containerOf(1);
    const first = ahead.firstOf(container, container);
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

  it('are made anew for a page that asks again: it has other annotations then', async () => {
    const { ahead } = counting();
    const container = containerOf(1);
    ahead.prepare(container, container);
    const before = ahead.firstOf(container, container);
    assert.equal(decodeFirst(before).profile.annotations, undefined);
    const again = ahead.firstOf(withAnnotations(container, [{ name: 'here', timeNs: 5, series: 0 }]), container);
    assert.equal(decodeFirst(again).profile.annotations?.length, 1);
  });

  it('are those of the profile that is asked for, whatever was expected', async () => {
    const { packed, ahead } = counting();
    const [old, newer] = [containerOf(1), containerOf(2)];
    ahead.firstOf(old, old);
    const first = ahead.firstOf(newer, newer);
    await ahead.packed(first);
    await nextTurn();
    assert.deepEqual(ahead.slicesOf(old), slicesPart(old));
    assert.deepEqual(ahead.slicesOf(newer), slicesPart(newer));
    assert.equal(packed.length, 2, 'nothing of the older one');
  });

  it('are made when they are asked for before that', () => {
    const { packed, ahead } = counting();
    const container = containerOf(3);
    ahead.firstOf(container, container);
    assert.deepEqual(ahead.slicesOf(container), slicesPart(container));
    assert.equal(packed.length, 0);
  });
});
