import assert from 'node:assert/strict';
import fc from 'fast-check';
import { narrowFloats, packedElements } from '../../../src/simulator/execute/formats';
import { decode, encode } from '../../../src/simulator/execute/packing';
import { packBytes, roundInPlace, roundTo, unpackBytes } from '../../../src/simulator/execute/rounding';

/** All patterns of the format as little-endian bytes. */
function patterns(sizeBytes: number): Uint8Array {
  return sizeBytes === 1
    ? Uint8Array.from({ length: 256 }, (_, i) => i)
    : new Uint8Array(Uint16Array.from({ length: 65536 }, (_, i) => i).buffer);
}

/** Every finite value of the format, ascending, found by decoding all patterns: what a nearest search looks through. */
function finiteValues(dtype: string): number[] {
  const sizeBytes = dtype.startsWith('float8') ? 1 : 2;
  const values = [...unpackBytes(dtype, patterns(sizeBytes), 256 ** sizeBytes)].filter(x => Number.isFinite(x) && !Object.is(x, -0));
  return values.sort((a, b) => a - b);
}

/** Nearest of the sorted values; of two equally near the one whose pattern is even; beyond the ends by half a step: overflow. */
function nearest(dtype: string, sorted: number[], x: number): number {
  const step = sorted[sorted.length - 1] - sorted[sorted.length - 2];
  const limit = sorted[sorted.length - 1] + step / 2;
  // the largest pattern is odd in IEEE layouts, so the tie at the limit goes up; in e4m3fn it is even and stays
  const beyond = dtype === 'float8_e4m3fn' ? Math.abs(x) > limit : Math.abs(x) >= limit;
  if (beyond) return dtype === 'float8_e4m3fn' ? Number.NaN : Math.sign(x) * Number.POSITIVE_INFINITY;
  let low = 0;
  let high = sorted.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= x) low = middle;
    else high = middle;
  }
  const [down, up] = [x - sorted[low], sorted[high] - x];
  if (down !== up) return Math.abs(down) < Math.abs(up) ? sorted[low] : sorted[high];
  return packBytes(dtype, [sorted[low]])[0] % 2 === 0 ? sorted[low] : sorted[high];
}

const fewBits = ['bfloat16', 'float16', 'float8_e4m3', 'float8_e5m2', 'float8_e3m4', 'float8_e4m3fn'];

describe('packing', () => {
  for (const dtype of fewBits) {
    it(`${dtype}: every pattern comes back, NaNs too`, () => {
      const sizeBytes = dtype.startsWith('float8') ? 1 : 2;
      const bytes = patterns(sizeBytes);
      const values = unpackBytes(dtype, bytes, 256 ** sizeBytes);
      assert.deepEqual(packBytes(dtype, values), bytes);
      assert.deepEqual(packBytes(dtype, Float32Array.from(values)), bytes, 'through numbers');
    });

    it(`${dtype}: rounding makes one NaN of all`, () => {
      const sizeBytes = dtype.startsWith('float8') ? 1 : 2;
      const values = unpackBytes(dtype, patterns(sizeBytes), 256 ** sizeBytes).filter(Number.isNaN) as Float32Array;
      assert.ok(values.length > 0);
      roundInPlace(dtype, values);
      assert.deepEqual(packBytes(dtype, values), packBytes(dtype, new Float32Array(values.length).fill(Number.NaN)));
    });
  }

  it('knows published values: largest, smallest normal, smallest subnormal', () => {
    const facts: [string, number[], number[]][] = [
      ['bfloat16', [0x80, 0x3f], [1]],
      ['bfloat16', [0x7f, 0x7f], [3.3895313892515355e38]],
      ['float16', [0xff, 0x7b, 0x00, 0x04, 0x01, 0x00], [65504, 2 ** -14, 2 ** -24]],
      ['float8_e4m3', [0x77, 0x78, 0x08, 0x01], [240, Number.POSITIVE_INFINITY, 2 ** -6, 2 ** -9]],
      ['float8_e4m3fn', [0x7e, 0x78, 0x01, 0x7f], [448, 256, 2 ** -9, Number.NaN]],
      ['float8_e5m2', [0x7b, 0x7c, 0x01], [57344, Number.POSITIVE_INFINITY, 2 ** -16]],
      ['float8_e3m4', [0x6f, 0x70, 0x01], [15.5, Number.POSITIVE_INFINITY, 2 ** -6]],
      ['int8', [0xff], [-1]],
      ['int64', [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [-2]],
      ['bool', [0, 1, 7], [0, 1, 1]],
    ];
    for (const [dtype, bytes, values] of facts)
      assert.deepEqual([...unpackBytes(dtype, Uint8Array.from(bytes), values.length)], values, dtype);
  });

  it('gives one pattern for the NaNs that arithmetic makes, and leaves float32 with other bits alone', () => {
    const negative = new Float32Array(Uint32Array.of(0xffc00000).buffer);
    assert.deepEqual([...packBytes('float32', negative)], [0, 0, 0xc0, 0x7f]);
    const bits = Uint8Array.of(1, 2, 0x83, 0xff);
    assert.deepEqual(packBytes('float32', unpackBytes('float32', bits, 1)), bits);
  });

  it('keeps 64-bit edges inside their range', () => {
    assert.equal(new DataView(packBytes('int64', [1e30]).buffer).getBigInt64(0, true), 2n ** 63n - 1n);
    assert.equal(new DataView(packBytes('uint64', [1e30]).buffer).getBigUint64(0, true), 2n ** 64n - 1n);
    assert.equal(new DataView(packBytes('int64', [-1e30]).buffer).getBigInt64(0, true), -(2n ** 63n));
  });

  it('refuses too few bytes and unknown names', () => {
    assert.throws(() => unpackBytes('float32', new Uint8Array(7), 2), /need 8 bytes, not 7/);
    assert.throws(() => packBytes('float7', [1]), /unknown dtype float7/);
  });
});

describe('microscaling types', () => {
  it('every byte of float8_e8m0fnu is a power of two, or NaN, and packs to itself', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, k) => k);
    const scales = unpackBytes('float8_e8m0fnu', bytes, 256);
    assert.deepEqual([...scales].slice(126, 130), [0.5, 1, 2, 4]);
    assert.deepEqual([scales[0], scales[254], scales[255]], [2 ** -127, 2 ** 127, Number.NaN]);
    assert.deepEqual(packBytes('float8_e8m0fnu', scales), bytes);
  });

  it('float4_e2m1 has the sixteen numbers of the standard', () => {
    const format = packedElements.float4_e2m1fn_x4;
    const all = Array.from({ length: 16 }, (_, bits) => decode(format, bits));
    assert.deepEqual(all.slice(0, 8), [0, 0.5, 1, 1.5, 2, 3, 4, 6]);
    assert.deepEqual(all.slice(9), [-0.5, -1, -1.5, -2, -3, -4, -6]);
    for (let bits = 0; bits < 16; bits++) assert.equal(encode(format, all[bits]), bits);
  });

  it('packed elements move as the bits they are', () => {
    for (const [dtype, bytes] of [
      ['float8_e5m2_x4', 8],
      ['float4_e2m1fn_x4', 4],
    ] as const) {
      const packed = Uint8Array.from({ length: bytes }, (_, k) => 255 - 37 * k);
      assert.deepEqual(packBytes(dtype, unpackBytes(dtype, packed, 2)), packed);
    }
  });
});

describe('rounding', () => {
  for (const dtype of fewBits) {
    it(`${dtype}: nearest value, ties to even, against a search`, () => {
      const sorted = finiteValues(dtype);
      const largest = sorted[sorted.length - 1];
      const near = fc.nat(sorted.length - 2).chain(k => {
        const middle = (sorted[k] + sorted[k + 1]) / 2;
        return fc.constantFrom(sorted[k], middle, middle * (1 + 2 ** -30), middle * (1 - 2 ** -30));
      });
      const any = fc.double({ min: -largest * 1.2, max: largest * 1.2, noNaN: true });
      fc.assert(
        fc.property(fc.oneof(near, any), x => {
          const [got, want] = [roundTo(dtype, x), nearest(dtype, sorted, x)];
          assert.ok(got === want || (Number.isNaN(got) && Number.isNaN(want)), `${x}: ${got}, not ${want}`);
        }),
        { seed: 11, numRuns: 1500 },
      );
    });
  }

  it('in place equals one by one, for float32 bit patterns of every kind', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(narrowFloats)), fc.array(fc.nat(0xffffffff), { maxLength: 20 }), (dtype, bits) => {
        const values = new Float32Array(Uint32Array.from(bits).buffer);
        const expected = Array.from(values, x => roundTo(dtype, x));
        roundInPlace(dtype, values);
        assert.deepEqual([...values], expected);
      }),
      { seed: 12, numRuns: 800 },
    );
  });

  it('keeps the sign of zero and of what becomes zero', () => {
    for (const dtype of ['float32', ...Object.keys(narrowFloats)]) {
      assert.ok(Object.is(roundTo(dtype, -0), -0), dtype);
      assert.ok(Object.is(roundTo(dtype, -1e-300), -0), dtype);
    }
  });

  it('takes integers to the nearest of their range, ties to even, NaN to 0', () => {
    const cast = (dtype: string, ...xs: number[]) => xs.map(x => roundTo(dtype, x));
    assert.deepEqual(cast('int8', 127.4, 127.5, 1e9, -128.6, -1e9), [127, 127, 127, -128, -128]);
    assert.deepEqual(cast('int32', 0.5, 1.5, 2.5, -0.5, -1.5, 3e9), [0, 2, 2, 0, -2, 2147483647]);
    assert.deepEqual(cast('uint8', -3, 255.5, 254.5, Number.NaN, Number.POSITIVE_INFINITY), [0, 255, 254, 0, 255]);
    assert.deepEqual(cast('bool', 0, -0, 0.1, -3, Number.NaN), [0, 0, 1, 1, 1]);
    assert.ok(Object.is(roundTo('int32', -0.2), 0), 'no negative zero among integers');
  });
});
