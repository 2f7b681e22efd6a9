import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeContainer, encodeContainer, FormatError } from '../../../src/simulator/columns/container';

const sample = () => ({
  kind: 'program',
  version: 3,
  meta: { name: 'µ-kernel', n: [1, 2] },
  columns: { a: Uint8Array.of(1, 2, 3), b: Float64Array.of(1.5, -2), c: new Int32Array(0), d: Uint16Array.of(65535) },
});

describe('column container', () => {
  it('gives back what went in', () => {
    assert.deepEqual(decodeContainer(encodeContainer(sample()), 'program'), sample());
  });

  it('reads from an unaligned buffer', () => {
    const bytes = encodeContainer(sample());
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    assert.deepEqual(decodeContainer(shifted.subarray(3), 'program'), sample());
    assert.deepEqual(decodeContainer(Buffer.from(shifted.buffer, 3), 'program'), sample());
  });

  it('names the kind it met', () => {
    assert.throws(() => decodeContainer(encodeContainer(sample()), 'profile'), /program file, not a profile file/);
  });

  it('refuses headers whose value would take far more memory than their text, or more stack than there is', () => {
    const withMeta = (json: string) => {
      const header = `{"kind":"program","version":3,"sections":[],"meta":${json}}`;
      const bytes = new Uint8Array(16 + header.length);
      bytes.set(encodeContainer(sample()).subarray(0, 8));
      new DataView(bytes.buffer).setUint32(8, header.length, true);
      bytes.set(new TextEncoder().encode(header), 12);
      return bytes;
    };
    for (const text of [`[${'[],'.repeat(2 ** 22)}[]]`, `${'['.repeat(70)}${']'.repeat(70)}`])
      assert.throws(() => decodeContainer(withMeta(text), 'program'), {
        name: 'FormatError',
        message: /nested too deeply or has too many parts/,
      });
    const long = `"${'[{'.repeat(2 ** 22)}\\\\\\""`;
    assert.equal((decodeContainer(withMeta(`["\\\\",${long}]`), 'program').meta as string[])[1].length, 2 ** 23 + 2);
  });

  it('names no section that is no text, and no kind', () => {
    const { kind: _, ...odd } = sample();
    const wrong = encodeContainer({ ...odd, kind: { toString: 1 } as never });
    assert.throws(() => decodeContainer(wrong, 'program'), { name: 'FormatError', message: /this is a nameless file/ });
  });

  it('answers every truncation and every changed byte with a value or a FormatError', () => {
    const bytes = encodeContainer(sample());
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), (at, value, cut) => {
        const hurt = cut ? bytes.slice(0, at) : bytes.slice();
        if (!cut) hurt[at] = value;
        try {
          decodeContainer(hurt, 'program');
        } catch (error) {
          assert.ok(error instanceof FormatError, String(error));
        }
      }),
      { seed: 7, numRuns: 3000 },
    );
  });
});
