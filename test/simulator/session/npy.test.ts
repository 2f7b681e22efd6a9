import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NpyError, readNpy, writeNpy } from '../../../src/simulator/session/npy';

/** As NumPy writes it: header padded with blanks to a multiple of 64, ended by a newline. */
function npy(descr: string, fortran: boolean, shape: string, data: Uint8Array, version = 1): Uint8Array {
  const lengthBytes = version === 1 ? 2 : 4;
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${shape}, }`;
  const total = Math.ceil((8 + lengthBytes + text.length + 1) / 64) * 64;
  const head = Buffer.alloc(total, ' ');
  head.write('\x93NUMPY', 'latin1');
  head[6] = version;
  head[7] = 0;
  if (version === 1) head.writeUInt16LE(total - 10, 8);
  else head.writeUInt32LE(total - 12, 8);
  head.write(text, 8 + lengthBytes);
  head.write('\n', total - 1);
  return Buffer.concat([head, data]);
}

const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);

describe('npy files', () => {
  for (const version of [1, 2, 3])
    it(`reads version ${version}`, () => {
      const data = floats(1, 2, 3, 4, 5, 6);
      assert.deepEqual(readNpy(npy('<f4', false, '(2, 3)', data, version)), { dtype: 'float32', shape: [2, 3], bytes: Buffer.from(data) });
    });

  it('turns column-major order into row-major', () => {
    const { bytes, shape } = readNpy(npy('<f4', true, '(2, 3)', floats(1, 4, 2, 5, 3, 6)));
    assert.deepEqual(shape, [2, 3]);
    assert.deepEqual([...new Float32Array(bytes.slice().buffer)], [1, 2, 3, 4, 5, 6]);
  });

  it('turns three dimensions too', () => {
    const columnMajor = Uint8Array.from({ length: 24 }, (_, at) => {
      const [i, j, k] = [at % 2, Math.floor(at / 2) % 3, Math.floor(at / 6)];
      return i * 12 + j * 4 + k;
    });
    const { bytes } = readNpy(npy('|u1', true, '(2, 3, 4)', columnMajor));
    assert.deepEqual([...bytes], [...Array(24).keys()]);
  });

  it('reads scalars, vectors and what ml_dtypes saves', () => {
    assert.deepEqual(readNpy(npy('<f4', false, '()', floats(7))).shape, []);
    assert.deepEqual(readNpy(npy('<i8', false, '(1,)', new Uint8Array(8))).shape, [1]);
    assert.equal(readNpy(npy('<V2', false, '(2,)', new Uint8Array(4))).dtype, 'bfloat16');
  });

  for (const [what, file] of [
    ['something else', Buffer.from('hello world, no array')],
    ['an empty file', new Uint8Array(0)],
    ['big-endian data', npy('>f4', false, '(1,)', floats(1))],
    ['Python objects', npy('|O8', false, '(1,)', new Uint8Array(8))],
    ['missing data', npy('<f4', false, '(2,)', floats(1))],
    ['a cut header', npy('<f4', false, '(1,)', floats(1)).subarray(0, 40)],
  ] as const)
    it(`refuses ${what}`, () => assert.throws(() => readNpy(file), NpyError));

  it('are written so that they are read back as they were, and NumPy\u2019s way', () => {
    const shape = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });
    const numbers = (count: number) => fc.array(fc.oneof(fc.float(), fc.double(), fc.integer()), { minLength: count, maxLength: count });
    const array = shape.chain(sizes => fc.tuple(fc.constant(sizes), numbers(sizes.reduce((a, b) => a * b, 1))));
    fc.assert(
      fc.property(array, ([sizes, values]) => {
        const file = writeNpy(sizes, values);
        const read = readNpy(file);
        assert.deepEqual(read.shape, sizes);
        const kind = read.dtype === 'float32' ? Float32Array : Float64Array;
        assert.deepEqual([...new kind(read.bytes.slice().buffer)], values);
        assert.equal((file.length - read.bytes.length) % 64, 0);
      }),
      { seed: 21, numRuns: 300 },
    );
    assert.equal(readNpy(writeNpy([2], [1, 2 ** 24 + 1])).dtype, 'float64');
    assert.equal(readNpy(writeNpy([2], [1, Number.NaN])).dtype, 'float32');
  });
});
