import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FormatError } from '../../../src/simulator/columns/container';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import { syntheticProfile } from '../../support/syntheticProfile';

describe('profile codec', () => {
  it('gives back the profile, column for column', () => {
    const profile = syntheticProfile(200);
    assert.deepEqual(decodeProfile(encodeProfile(profile)), profile);
  });

  it('writes the same bytes for the same profile', () => {
    assert.deepEqual(encodeProfile(syntheticProfile(50)), encodeProfile(syntheticProfile(50)));
  });

  it('refuses a track that is not there, a missing key and a column of another length', () => {
    const outside = syntheticProfile(10);
    outside.instructions.track[3] = 99;
    assert.throws(() => decodeProfile(encodeProfile(outside)), /instructions\.track\[3\] is 99/);
    const { kernel: _, ...nameless } = syntheticProfile(10);
    assert.throws(() => decodeProfile(encodeProfile(nameless as never)), /kernel is missing/);
    const short = syntheticProfile(10);
    short.instructions.flops = new Float32Array(9);
    assert.throws(() => decodeProfile(encodeProfile(short)), /flops has 9 rows, its group 10/);
  });

  it('answers 3,000 seeded mutations with a profile or a FormatError', () => {
    const bytes = encodeProfile(syntheticProfile(20));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(bytes.length),
        (edits, cut) => {
          const hurt = bytes.slice(0, cut < bytes.length / 8 ? cut : bytes.length);
          for (const [at, value] of edits) if (at < hurt.length) hurt[at] = value;
          try {
            decodeProfile(hurt);
          } catch (error) {
            assert.ok(error instanceof FormatError, String(error));
          }
        },
      ),
      { seed: 11, numRuns: 3000 },
    );
  });
});
