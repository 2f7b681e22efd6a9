import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { FormatError } from '../../../src/simulator/columns/container';
import { contentHashText } from '../../../src/simulator/formats/contentHash';
import {
  decodeNkiprof,
  encodeNkiprof,
  packedPart,
  packingNkiprof,
  packNkiprof,
  unpackNkiprof,
} from '../../../src/simulator/formats/nkiprof';
import { encodeProfile } from '../../../src/simulator/profile/codec';
import { decodeFirst, decodeSlices, isWhole } from '../../../src/simulator/profile/parts';
import { simulate } from '../../../src/simulator/simulate';
import { unpackPart } from '../../../src/webview/unpacking/unpackPart';
import { type RankStep, rankProgram } from '../../support/ranks';
import { syntheticProfile } from '../../support/syntheticProfile';

const HEAD_BYTES = 40;

/** The file with one field of its head changed. */
function withHead(file: Uint8Array, change: (head: DataView) => void): Uint8Array {
  const copy = file.slice();
  change(new DataView(copy.buffer));
  return copy;
}

describe('.nkiprof', () => {
  const file = encodeNkiprof(syntheticProfile(60));

  it('gives back the profile, and the same bytes for the same profile', () => {
    assert.deepEqual(decodeNkiprof(file), syntheticProfile(60));
    assert.deepEqual(file, encodeNkiprof(syntheticProfile(60)));
  });

  it('reads what a native deflate packed', () => {
    const native = packNkiprof(encodeProfile(syntheticProfile(60)), (bytes, { level }) => deflateRawSync(bytes, { level }));
    assert.deepEqual(decodeNkiprof(native), syntheticProfile(60));
  });

  it('unpacks more than one step of input', () => {
    const big = encodeNkiprof(syntheticProfile(6000));
    assert.ok(big.length > 2 * 65536, String(big.length));
    assert.deepEqual(decodeNkiprof(big), syntheticProfile(6000));
  });

  describe('of several parts', () => {
    // large enough to be cut, with the input of the scheduler
    const container = encodeProfile(simulate(rankProgram(Array<RankStep>(4000).fill('work'))));
    const large = packNkiprof(container, (bytes, { level }) => deflateRawSync(bytes, { level }));
    const unpacked = async (name: 'first' | 'slices', of = large) => {
      const { packed, sizeBytes } = packedPart(of, name)!;
      return unpackPart(new Uint8Array(packed), sizeBytes);
    };

    it('gives back the same container, byte for byte', () => {
      assert.ok(container.length > 4e6, String(container.length));
      assert.ok(Buffer.from(unpackNkiprof(large)).equals(container));
      assert.ok(large.length < deflateRawSync(container, { level: 1 }).length / 2);
    });

    it('is the same file for a host that deflates beside its own work', async () => {
      const beside = await packingNkiprof(container, async (bytes, { level }) => deflateRawSync(bytes, { level }));
      assert.ok(Buffer.from(beside).equals(large));
    });

    it('gives a page its parts as they stand', async () => {
      const profile = decodeNkiprof(large);
      const first = decodeFirst(await unpacked('first'));
      assert.equal(first.isWhole, false);
      assert.deepEqual(first.profile.instructions, profile.instructions);
      assert.deepEqual(decodeSlices(await unpacked('slices'), first.profile), profile.dmaSlices);
      assert.ok(isWhole(await unpacked('first', file)), 'a small one is its first part');
      assert.equal(packedPart(file, 'slices'), null);
    });

    it('unpacks no part to more than the file says, and none that is damaged', async () => {
      const { packed, sizeBytes } = packedPart(large, 'first')!;
      for (const size of [sizeBytes - 1, sizeBytes + 1]) await assert.rejects(unpackPart(new Uint8Array(packed), size), FormatError);
      await assert.rejects(unpackPart(new Uint8Array(packed.length), sizeBytes), FormatError);
      const says = (place: number, bytes: number) => {
        const changed = large.slice();
        new DataView(changed.buffer).setFloat64(HEAD_BYTES + place * 8, bytes, true);
        return changed;
      };
      for (const bytes of [-1, 0.5, Number.NaN, 2 ** 40]) assert.throws(() => decodeNkiprof(says(0, bytes)), /a part claims/);
      assert.throws(() => decodeNkiprof(says(0, 8)), /unpacks to (more|another size)/);
      assert.throws(() => decodeNkiprof(says(1, 8)), /a part claims|not all of it/);
      assert.throws(() => decodeNkiprof(large.subarray(0, HEAD_BYTES + 9)), /its head says/);
    });
  });

  it('says what is wrong', () => {
    const message = (bytes: Uint8Array) => {
      try {
        decodeNkiprof(bytes);
      } catch (error) {
        assert.ok(error instanceof FormatError);
        return error.message;
      }
      return 'read without an error';
    };
    assert.match(message(new Uint8Array()), /does not start with NKIPROF/);
    assert.match(message(new TextEncoder().encode('{"summary": []}'.repeat(9))), /does not start with NKIPROF/);
    assert.match(message(file.subarray(0, file.length - 9)), /its head says/);
    assert.match(
      message(withHead(file, head => head.setUint32(8, 3, true))),
      /made by a newer NKI Scope, version 3; this one reads up to 2/,
    );
    assert.match(message(withHead(file, head => head.setUint8(36, head.getUint8(36) ^ 1))), /checksum/);
    assert.match(message(withHead(file, head => head.setUint32(12, 7, true))), /makes no sense/);
  });

  it('takes no memory for a size that deflate cannot reach, and stops at the size declared', () => {
    const claims = (bytes: number) => withHead(file, head => head.setFloat64(16, bytes, true));
    for (const size of [2 ** 40, file.length * 1033, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => decodeNkiprof(claims(size)), /claims to unpack/);
    assert.throws(() => decodeNkiprof(claims(64)), /another size/);
    const bomb = packNkiprof(new Uint8Array(70 * 2 ** 20), bytes => deflateRawSync(bytes, { level: 9 }));
    assert.throws(() => decodeNkiprof(bomb), /claims to unpack to 73400320 bytes/);
    const container = encodeProfile(syntheticProfile(60)).length;
    assert.throws(() => decodeNkiprof(claims(container + 1)), /another size/);
  });

  it('answers 4,000 seeded mutations with a profile or a FormatError', () => {
    const edit = fc.tuple(fc.nat(file.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.nat(file.length * 4), (edits, cut) => {
        const hurt = file.slice(0, cut);
        for (const [at, value] of edits) if (at < hurt.length) hurt[at] = value;
        try {
          assert.deepEqual(decodeNkiprof(hurt), syntheticProfile(60));
        } catch (error) {
          assert.ok(error instanceof FormatError, String(error));
        }
      }),
      { seed: 21, numRuns: 4000 },
    );
  });

  it('answers 1,000 damaged containers with a right checksum with a profile or a FormatError', () => {
    const container = encodeProfile(syntheticProfile(20));
    fc.assert(
      fc.property(fc.nat(container.length - 1), fc.nat(255), (at, value) => {
        const hurt = container.slice();
        hurt[at] = value;
        try {
          decodeNkiprof(packNkiprof(hurt));
        } catch (error) {
          assert.ok(error instanceof FormatError, String(error));
        }
      }),
      { seed: 22, numRuns: 1000 },
    );
  });

  it('declares the head that the layout documents', () => {
    const view = new DataView(file.buffer, file.byteOffset);
    assert.equal(new TextDecoder().decode(file.subarray(0, 8)), 'NKIPROF\n');
    assert.deepEqual([view.getUint32(8, true), view.getUint32(12, true)], [2, 2]);
    assert.equal(view.getFloat64(16, true), encodeProfile(syntheticProfile(60)).length);
    assert.equal(view.getFloat64(24, true), file.length - HEAD_BYTES);
    const hash = [32, 36].map(at => view.getUint32(at, true).toString(16).padStart(8, '0')).join('');
    assert.equal(hash, contentHashText(encodeProfile(syntheticProfile(60))));
  });

  it('hashes differently when any one byte differs', () => {
    const bytes = Uint8Array.from({ length: 67 }, (_, i) => i * 7);
    const hashes = new Set([contentHashText(bytes)]);
    for (let i = 0; i < bytes.length; i++) hashes.add(contentHashText(bytes.map((b, at) => (at === i ? b ^ 1 : b))));
    for (let cut = 0; cut < bytes.length; cut++) hashes.add(contentHashText(bytes.subarray(0, cut)));
    assert.equal(hashes.size, 1 + 2 * bytes.length);
  });
});
