/** Which writes of a DMA wait for the write before them: by hand, and against addresses counted one by one. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sameBurstShare } from '../../../src/simulator/compile/bursts';
import { ProgramBuilder, type Slice, type Tensor } from '../../support/programs';
import { compile } from '../../support/stages';

const BURST = 32;

/** Of the first DMA of a program. */
function sharesOf(target: string, build: (b: ProgramBuilder) => void, request = {}): number[] {
  const b = new ProgramBuilder({ target });
  build(b);
  const { cuts, transfers } = compile(b.finish(), { dge: 'off', ...request });
  return [...transfers.cut].map(cut => cuts.sameBurst[cut]);
}

const copied = (b: ProgramBuilder, dst: Tensor | ReturnType<Tensor['slice']>, src: Tensor | ReturnType<Tensor['slice']>) =>
  b.record('nki.isa.dma_copy', { dst, src });

describe('writes to one burst of HBM', () => {
  it('are those of short runs that follow one another at a short distance', () => {
    const share = (bytes: number, stepBytes: number, count: number) => sameBurstShare({ bytes, stepBytes, count }, BURST);
    assert.equal(share(2, 2, 128), 15 / 16);
    assert.equal(share(4, 4, 128), 7 / 8);
    assert.equal(share(16, 16, 128), 1 / 2);
    assert.equal(share(32, 32, 128), 0);
    assert.equal(share(2, 8, 128), 3 / 4);
    assert.equal(share(2, 32, 128), 0);
    assert.equal(share(2, 0, 8), 7 / 8, 'one place written again and again');
    assert.equal(share(4, -4, 8), 7 / 8, 'backwards');
    assert.equal(share(4, 4, 1), 0);
  });

  it('are as many as addresses show', () => {
    const powers = fc.constantFrom(1, 2, 4, 8, 16, 32, 64);
    fc.assert(
      fc.property(powers, powers, fc.integer({ min: 1, max: 200 }), (bytes, step, count) => {
        let again = 0;
        for (let k = 1; k < count; k++) if (Math.floor((k * step) / BURST) === Math.floor(((k - 1) * step) / BURST)) again++;
        const expected = bytes < BURST ? again / count : 0;
        assert.ok(Math.abs(sameBurstShare({ bytes, stepBytes: step, count }, BURST) - expected) < 1e-12);
      }),
      { seed: 7 },
    );
  });

  describe('of a kernel', () => {
    const tensor = (b: ProgramBuilder, shape: number[], dtype: string, role: 'input' | 'output') => b.hbm(role, shape, dtype, role);
    const one: Slice = [0, 1];

    it('are those of copies of elements within HBM', () => {
      for (const [dtype, share] of [
        ['bfloat16', 15 / 16],
        ['float32', 7 / 8],
        ['uint8', 31 / 32],
      ] as const) {
        const build = (b: ProgramBuilder) =>
          copied(b, tensor(b, [128, 128, 1], dtype, 'output'), tensor(b, [128, 128, 9], dtype, 'input').slice(':', ':', one));
        assert.deepEqual(sharesOf('trn2', build), [share], dtype);
      }
    });

    it('are those of a column of results, in packets of four partitions on v2', () => {
      const column = (width: number) => (b: ProgramBuilder) =>
        copied(b, tensor(b, [128, width], 'float32', 'output'), b.sbuf('t', [128, width], 'float32'));
      assert.deepEqual(sharesOf('trn2', column(1)), [7 / 8]);
      assert.deepEqual(sharesOf('trn1', column(1)), [1 / 2]);
      assert.deepEqual(sharesOf('trn1', column(2)), [0], 'four rows of eight bytes are a burst');
      assert.deepEqual(sharesOf('trn2', column(8)), [0]);
    });

    it('are none where rows lie apart, where data is loaded, and where elements are scattered', () => {
      const apart = (b: ProgramBuilder) =>
        copied(b, tensor(b, [128, 64], 'float32', 'output').slice(':', one), b.sbuf('t', [128, 1], 'float32'));
      const loaded = (b: ProgramBuilder) => copied(b, b.sbuf('t', [128, 1], 'float32'), tensor(b, [128, 1], 'float32', 'input'));
      const transposed = (b: ProgramBuilder) =>
        b.record('nki.isa.dma_transpose', {
          dst: tensor(b, [128, 128], 'bfloat16', 'output'),
          src: tensor(b, [128, 128], 'bfloat16', 'input'),
        });
      for (const target of ['trn1', 'trn2'])
        for (const build of [apart, loaded, transposed]) assert.deepEqual(sharesOf(target, build), [0]);
    });
  });
});
