/** A profile in two parts is the profile, and parts that do not fit are refused. */
import assert from 'node:assert/strict';
import { decodeContainer, encodeContainer, FormatError } from '../../../src/simulator/columns/container';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import { decodeFirst, decodeSlices, firstPart, isWhole, joinedParts, partsOf, slicesPart } from '../../../src/simulator/profile/parts';
import { simulate } from '../../../src/simulator/simulate';
import { randomProgram } from '../../support/randomPrograms';
import { syntheticProfile } from '../../support/syntheticProfile';

const profile = syntheticProfile(300, 5);
const container = encodeProfile(profile);

describe('parts of a profile', () => {
  it('are the profile together; the first has no busy intervals of DMA engines and no input of the scheduler', () => {
    const first = firstPart(container, 0);
    assert.equal(isWhole(first), false);
    const read = decodeFirst(first);
    assert.equal(read.isWhole, false);
    assert.equal(read.profile.dmaSlices.startNs.length, 0);
    assert.ok(profile.dmaSlices.startNs.length > 0);
    const dmaSlices = decodeSlices(slicesPart(container), read.profile);
    assert.deepEqual({ ...read.profile, dmaSlices }, profile);
    assert.throws(() => decodeProfile(first), FormatError, 'it is no profile by itself');
  });

  it('leave out the input of the scheduler', () => {
    const timed = simulate(randomProgram(7, 80));
    assert.ok(timed.timing);
    const { profile: read } = decodeFirst(firstPart(encodeProfile(timed), 0));
    assert.equal(read.timing, undefined);
    assert.deepEqual(read.instructions, timed.instructions);
  });

  it('are not made of a small container, nor of one without busy intervals', () => {
    assert.equal(firstPart(container), container);
    assert.equal(decodeFirst(container).isWhole, true);
    const { startNs, engine, transfer, bytes } = profile.dmaSlices;
    const none = {
      startNs: startNs.slice(0, 0),
      endNs: startNs.slice(0, 0),
      engine: engine.slice(0, 0),
      transfer: transfer.slice(0, 0),
      bytes: bytes.slice(0, 0),
    };
    const first = firstPart(encodeProfile({ ...profile, dmaSlices: none }), 0);
    assert.equal(isWhole(first), true);
    assert.equal(decodeProfile(first).dmaSlices.startNs.length, 0);
  });

  it('of a file make the same container, byte for byte, and parts that do not fit are refused', () => {
    for (const whole of [container, encodeProfile(simulate(randomProgram(7, 80)))]) {
      const parts = partsOf(whole, 0)!;
      assert.ok(parts[1].length > 0);
      assert.deepEqual(joinedParts(parts), whole);
      assert.throws(() => joinedParts([parts[0], parts[0]]), /parts do not fit/);
    }
    assert.deepEqual(partsOf(container), [container, new Uint8Array(0), new Uint8Array(0)], 'a small one is its first part');
    assert.equal(partsOf(container.subarray(0, 40)), null);
    const other = encodeContainer({ kind: 'profile', version: 1, meta: {}, columns: {} });
    const spaced = new TextDecoder().decode(other).replace('"meta":{},', '"meta":{ }');
    assert.equal(partsOf(new TextEncoder().encode(spaced)), null, 'it would not be the same bytes again');
  });

  it('do not fit another profile, and damaged ones fit none', () => {
    const second = slicesPart(container);
    const { profile: other } = decodeFirst(firstPart(encodeProfile(syntheticProfile(8, 1)), 0));
    assert.throws(() => decodeSlices(second, other), /dmaSlices\.transfer\[\d+\] is \d+, outside/);
    const { version, meta, columns } = decodeContainer(second, 'profile');
    const changed = (more: object) =>
      encodeContainer({ kind: 'profile', version, meta, columns: { ...columns, ...more } as typeof columns });
    const fails = (more: object, why: RegExp) => assert.throws(() => decodeSlices(changed(more), profile), why);
    fails({ 'dmaSlices.bytes': new Float32Array(3) }, /dmaSlices\.bytes has 3 rows/);
    fails({ 'dmaSlices.endNs': columns['dmaSlices.endNs'].map(() => -1) }, /not a number from 0/);
    fails({ 'dmaSlices.endNs': columns['dmaSlices.endNs'].map(() => 0) }, /before its start/);
    assert.throws(() => decodeSlices(firstPart(container, 0), profile), /has no column dmaSlices/);
  });
});
