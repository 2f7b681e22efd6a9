import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AccessPattern, ProgramBuilder, type Tensor } from '../../support/programs';
import { executed } from '../../support/values';

const [PARTITIONS, BYTES] = [4, 16];

/** All of a tensor of [4, 16 bytes], read as a dtype of `size` bytes. */
const whole = (tensor: Tensor, dtype: string, size: number): AccessPattern => ({
  tensor,
  dtype,
  offset: 0,
  dims: [
    [BYTES / size, PARTITIONS],
    [1, BYTES / size],
  ],
});

/** The bytes of int8 numbers, read by the machine's own views. */
const asBytes = (numbers: number[]) => new Uint8Array(Int8Array.from(numbers).buffer);

describe('a tensor read as another dtype', () => {
  it('gives its bits: integers of every width against the same bytes in typed arrays', () => {
    const bytes = fc.array(fc.integer({ min: -128, max: 127 }), { minLength: PARTITIONS * BYTES, maxLength: PARTITIONS * BYTES });
    fc.assert(
      fc.property(
        bytes,
        fc.constantFrom(['int16', Int16Array] as const, ['uint16', Uint16Array] as const, ['int32', Int32Array] as const),
        (numbers, [name, view]) => {
          const size = view.BYTES_PER_ELEMENT;
          const b = new ProgramBuilder();
          const x = b.hbm('x', [PARTITIONS, BYTES], 'int8', 'input');
          const y = b.hbm('y', [PARTITIONS, BYTES / size], name, 'output');
          b.record('nki.isa.dma_copy', { dst: y, src: whole(x, name, size) });
          assert.deepEqual([...executed(b, new Map([[x, numbers]])).tensor(y.index)], [...new view(asBytes(numbers).buffer)]);
        },
      ),
      { seed: 3, numRuns: 100 },
    );
  });

  it('loses no bit on the way through floats: every 16-bit pattern written over bfloat16, and read again', () => {
    const b = new ProgramBuilder();
    const all = Array.from({ length: 65536 }, (_, i) => i);
    const x = b.hbm('x', [128, 512], 'uint16', 'input');
    const tile = b.sbuf('tile', [128, 512], 'bfloat16');
    const y = b.hbm('y', [128, 512], 'uint16', 'output');
    const seen: AccessPattern = {
      tensor: tile,
      dtype: 'uint16',
      offset: 0,
      dims: [
        [512, 128],
        [1, 512],
      ],
    };
    b.record('nki.isa.memset', { dst: tile }, { value: 1 });
    b.record('nki.isa.dma_copy', { dst: seen, src: x });
    b.record('nki.isa.dma_copy', { dst: y, src: seen });
    assert.deepEqual([...executed(b, new Map([[x, all]])).tensor(y.index)], all);
  });

  for (const [dtype, size] of [
    ['float8_e4m3', 1],
    ['float8_e4m3fn', 1],
    ['bfloat16', 2],
    ['float16', 2],
    ['float32', 4],
  ] as const)
    it(`moves words through tensors of ${dtype} bit by bit: rows, columns, turned`, () => {
      const integer = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
      const nans = fc.constantFrom(0x7f7f7f7f, -1, 0x7fc1ffc1, 0x7f80ff81 | 0, 0x7e017dff);
      const numbers = fc.array(fc.oneof(integer, nans), { minLength: 16, maxLength: 16 });
      fc.assert(
        fc.property(numbers, given => {
          const b = new ProgramBuilder();
          const x = b.hbm('x', [PARTITIONS, 4], 'int32', 'input');
          const tiles = ['a', 'b', 'c'].map(name => b.sbuf(name, [PARTITIONS, BYTES / size], dtype));
          const y = b.hbm('y', [PARTITIONS, 4], 'int32', 'output');
          b.record('nki.isa.dma_copy', { dst: whole(tiles[0], 'int32', 4), src: x });
          b.record('nki.isa.tensor_copy', { dst: tiles[1], src: tiles[0] });
          // backwards: every element by itself
          const back: AccessPattern = {
            tensor: tiles[1],
            dtype,
            offset: BYTES / size - 1,
            dims: [
              [BYTES / size, PARTITIONS],
              [-1, BYTES / size],
            ],
          };
          b.record('nki.isa.tensor_copy', { dst: tiles[2], src: back });
          b.record('nki.isa.tensor_copy', { dst: back, src: tiles[2] });
          b.record('nki.isa.dma_copy', { dst: y, src: whole(tiles[1], 'int32', 4) });
          assert.deepEqual([...executed(b, new Map([[x, given]])).tensor(y.index)], given);
        }),
        { seed: 5, numRuns: 50 },
      );
    });

  it('part of a word changes, the rest stays', () => {
    const b = new ProgramBuilder();
    const word = b.sbuf('word', [1, 2], 'int32');
    const y = b.hbm('y', [1, 2], 'int32', 'output');
    b.record('nki.isa.memset', { dst: word }, { value: 0x01020304 });
    b.record(
      'nki.isa.memset',
      {
        dst: {
          tensor: word,
          dtype: 'uint16',
          offset: 1,
          dims: [
            [4, 1],
            [1, 2],
          ],
        },
      },
      { value: 0xffff },
    );
    b.record('nki.isa.dma_copy', { dst: y, src: word });
    assert.deepEqual([...executed(b).tensor(y.index)], [0xffff0304 | 0, 0x0102ffff]);
  });
});
