import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Columns, decodeContainer, FormatError } from '../../../src/simulator/columns/container';
import { fromPlanes, toPlanes } from '../../../src/simulator/columns/planes';
import { encodeProfile } from '../../../src/simulator/profile/codec';
import { decodeFirst } from '../../../src/simulator/profile/parts';
import { filteredPart, withoutShared, withShared } from '../../../src/simulator/profile/sharedColumns';
import { syntheticProfile } from '../../support/syntheticProfile';

describe('columns that profiles of a page share', () => {
  const profiles = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat()).map(([size, seed]) => syntheticProfile(size, seed));
  const filtered = (container: Uint8Array) => toPlanes(container, 'profile');

  it('are left out and put back: the same profile, with the arrays of the other', async () => {
    await fc.assert(
      fc.asyncProperty(profiles, fc.infiniteStream(fc.boolean()), async (profile, choices) => {
        const container = encodeProfile(profile);
        const theirs = decodeContainer(container, 'profile').columns;
        const names = Object.keys(theirs).filter(() => choices.next().value);
        const packed = withoutShared(filteredPart(filtered(container)), Object.fromEntries(names.map(name => [name, 'other'])));
        if (names.length > 5) assert.ok(packed.length < container.length);
        const asked: string[] = [];
        const whole = await withShared(fromPlanes(packed, 'profile'), id => {
          asked.push(id);
          return Promise.resolve(theirs);
        });
        assert.deepEqual(decodeFirst(whole), { profile, isWhole: true });
        for (const name of names) assert.equal(whole.columns[name], theirs[name]);
        assert.deepEqual(
          asked,
          names.map(() => 'other'),
        );
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it('are an error where the other profile is not there, or has no such column', async () => {
    const packed = withoutShared(filteredPart(filtered(encodeProfile(syntheticProfile(20)))), { 'instructions.opcode': 'other' });
    const bytes = fromPlanes(packed, 'profile');
    for (const given of [undefined, Promise.resolve({} as Columns)])
      await assert.rejects(
        withShared(bytes, () => given),
        (error: Error) => error instanceof FormatError && /instructions\.opcode/.test(error.message),
      );
  });

  it('are read without changing what they are read from, and from nothing else', () => {
    const bytes = filtered(encodeProfile(syntheticProfile(20)));
    const before = bytes.slice();
    assert.ok(filteredPart(bytes).columns['instructions.startNs'].length === 20);
    assert.deepEqual(bytes, before);
    for (const other of [encodeProfile(syntheticProfile(20)), new Uint8Array(3), bytes.slice(0, 60)])
      assert.throws(() => filteredPart(other), FormatError);
  });
});
