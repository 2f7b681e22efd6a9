/** Reads of what nobody wrote are reported where they happen, and nothing else is. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_MACHINE } from '../../../../src/simulator/hardware/machines';
import { CheckedProgram } from '../../../../src/simulator/program/checks/checkedProgram';
import { WrittenElements } from '../../../../src/simulator/program/checks/written';
import { ProgramBuilder } from '../../../support/programs';
import { verify } from '../../../support/stages';
import { warned } from '../../../support/warned';

const copied = (b: ProgramBuilder, shape = [128, 512]) => {
  const x = b.hbm('x', shape, 'float32', 'input');
  const t = b.sbuf('t', shape, 'float32', { line: 4 });
  return { x, t };
};

describe('reads of memory never written', () => {
  it('a tile that nobody wrote, with the line that allocates it', () => {
    const record = (b: ProgramBuilder) => {
      const { t } = copied(b);
      const o = b.sbuf('o', [128, 512]);
      b.record('nki.isa.activation', { dst: o, data: t }, { op: 'exp' }, { line: 7 });
      b.record('nki.isa.activation', { dst: o, data: t }, { op: 'exp' }, { line: 8 });
    };
    warned(record, [/nki.isa.activation reads t, which nothing has written before \(t is allocated on line 4\)/, 7]);
  });

  it('the part of a tile that was left out', () => {
    const record = (b: ProgramBuilder) => {
      const { x, t } = copied(b);
      b.record('nki.isa.dma_copy', { dst: t.slice(':', [0, 256]), src: x.slice(':', [0, 256]) }, {}, { line: 5 });
      b.record('nki.isa.dma_copy', { dst: t.slice([0, 64], [256, 512]), src: x.slice([0, 64], [256, 512]) }, {}, { line: 6 });
      b.record('nki.isa.tensor_copy', { dst: b.sbuf('o', [128, 512]), src: t }, {}, { line: 7 });
    };
    warned(record, [/tensor_copy reads t\[64:128, 256:512\], which nothing has written before/, 7]);
  });

  it('says nothing when parts make the whole, when only the written part is read, or after a memset', () => {
    warned(b => {
      const { x, t } = copied(b);
      const o = b.sbuf('o', [128, 512]);
      b.loop('i', 4, i => b.record('nki.isa.dma_copy', { dst: t.slice(':', [i * 128, i * 128 + 128]), src: x.slice(':', [0, 128]) }));
      b.record('nki.isa.tensor_copy', { dst: o, src: t });
      const part = b.sbuf('part', [128, 512]);
      b.record('nki.isa.tensor_copy', { dst: part.slice([0, 100]), src: o.slice([0, 100]) });
      b.record('nki.isa.tensor_copy', { dst: o.slice([0, 32]), src: part.slice([64, 96]) });
      const zeros = b.sbuf('zeros', [128, 4]);
      b.record('nki.isa.memset', { dst: zeros }, { value: 0 });
      b.record('nki.isa.tensor_copy', { dst: b.sbuf('p', [128, 4]), src: zeros });
    });
  });

  it('says nothing of a tile that one instruction wrote whole in another order', () => {
    warned(b => {
      const t = b.sbuf('t', [128, 4, 8]);
      b.record(
        'nki.isa.memset',
        {
          dst: t.ap([
            [32, 128],
            [1, 8],
            [8, 4],
          ]),
        },
        { value: 0 },
      );
      b.record('nki.isa.tensor_copy', { dst: b.sbuf('o', [128, 4, 8]), src: t });
    });
  });

  it('accumulating into PSUM that nothing has written, but not the accumulation that starts by overwriting', () => {
    const record = (accumulate: boolean | null) => (b: ProgramBuilder) => {
      const w = b.sbuf('w', [128, 128]);
      b.record('nki.isa.memset', { dst: w }, { value: 1 });
      const psum = b.psum('acc', [128, 128], 'float32', { line: 5 });
      b.record('nki.isa.nc_matmul', { dst: psum, stationary: w, moving: w }, { accumulate }, { line: 6 });
      b.record('nki.isa.nc_matmul', { dst: psum, stationary: w, moving: w }, { accumulate: true }, { line: 7 });
    };
    warned(record(true), [/nc_matmul accumulates into acc, which nothing has written before \(acc is allocated on line 5\)/, 6]);
    warned(record(false));
    warned(record(null));
  });

  it('takes a legacy tile as written when some of it is: its loads are masked', () => {
    const record = (b: ProgramBuilder) => {
      const { x, t } = copied(b);
      b.record('nki.language.load', { dst: t.slice([0, 44]), src: x.slice([0, 44]) }, {}, { line: 5 });
      b.record('nki.language.exp', { dst: b.sbuf('o', [128, 512]), x: t }, {}, { line: 6 });
      b.record('nki.language.exp', { dst: b.sbuf('p', [128, 512]), x: b.sbuf('never', [128, 512]) }, {}, { line: 7 });
    };
    const b = new ProgramBuilder({ dialect: 'neuronxcc', target: 'trn1' });
    record(b);
    assert.deepEqual(
      verify(b.finish()).map(check => [check.line, /never, which nothing has written/.test(check.message)]),
      [[7, true]],
    );
  });

  it('scales of MX tiles where the matmul looks for them, in the first partitions of each quadrant', () => {
    const warnings = (quadrants: readonly number[]) => {
      const b = new ProgramBuilder({ target: 'trn3' });
      const tile = (name: string, columns: number) => b.sbuf(name, [128, columns], 'float8_e4m3fn_x4');
      const [w, x, ones] = [tile('w', 64), tile('x', 32), b.sbuf('ones', [128, 32], 'uint8')];
      const scales = b.sbuf('scales', [128, 64], 'uint8', { line: 3 });
      for (const t of [w, x, ones]) b.record('nki.isa.memset', { dst: t }, { value: 0 });
      for (const k of quadrants) b.record('nki.isa.memset', { dst: scales.slice([32 * k, 32 * k + 4]) }, { value: 127 });
      const operands = { dst: b.psum('acc', [64, 32]), stationary: w, moving: x, stationary_scale: scales, moving_scale: ones };
      b.record('nki.isa.nc_matmul_mx', operands, {}, { line: 9 });
      return verify(b.finish()).map(check => `${check.line}: ${check.message}`);
    };
    assert.deepEqual(warnings([0, 1, 2, 3]), []);
    const [warning, ...others] = warnings([0, 1, 3]);
    assert.match(warning, /^9: nki.isa.nc_matmul_mx reads scales\[64:68, 0:64\], which nothing has written before \(scales .* line 3\)/);
    assert.deepEqual(others, []);
  });

  it('a DMA that combines with memory nobody wrote', () => {
    const record = (attributes: { dst_rmw_op?: string }) => (b: ProgramBuilder) => {
      const { x } = copied(b);
      const y = b.hbm('y', [128, 512], 'float32', 'internal', { line: 4 });
      b.record('nki.isa.dma_copy', { dst: y, src: x }, attributes, { line: 6 });
    };
    warned(record({ dst_rmw_op: 'add' }), [/dma_copy reads y, which nothing/, 6]);
    warned(record({}));
  });
});

describe('what was written', () => {
  it('agrees with a set of elements on random patterns', () => {
    const walk = fc.record({ offset: fc.nat(40), dims: fc.array(fc.tuple(fc.integer({ min: -6, max: 24 }), fc.nat(5)), { maxLength: 3 }) });
    const access = fc.record({ tensor: fc.nat(1), write: fc.boolean(), walk });
    fc.assert(
      fc.property(fc.array(access, { minLength: 1, maxLength: 40 }), accesses => {
        const b = new ProgramBuilder();
        const tensors = [b.hbm('a', [8, 12]), b.hbm('b', [96])];
        const legal = accesses.filter(({ walk }) => elements(walk).every(e => e >= 0 && e < 96));
        for (const { tensor, walk } of legal) b.record('nki.isa.memset', { dst: tensors[tensor].ap(walk.dims, walk.offset) });
        const written = new WrittenElements(new CheckedProgram(b.finish(), DEFAULT_MACHINE));
        const model = [new Set<number>(), new Set<number>()];
        const [few, rows] = [new Set([0, 3, 4, 40]), [12, 1]];
        for (const [o, { tensor, write, walk }] of legal.entries()) {
          const touched = elements(walk);
          const missing = touched.filter(e => !model[tensor].has(e));
          assert.equal(written.covers(o), missing.length === 0);
          const missingInFew = missing.filter(e => few.has(Math.floor(e / rows[tensor])));
          assert.equal(written.covers(o, few), missingInFew.length === 0);
          const foundInFew = new Set<number>();
          if (missingInFew.length > 0) written.eachMissing(o, e => foundInFew.add(e), few);
          assert.deepEqual(foundInFew, new Set(missingInFew));
          const found = new Set<number>();
          if (missing.length > 0) written.eachMissing(o, e => found.add(e));
          assert.deepEqual(found, new Set(missing));
          if (!write) continue;
          written.write(o);
          for (const e of touched) model[tensor].add(e);
          assert.equal(written.nothing(tensor), model[tensor].size === 0);
        }
        for (const [tensor, all] of model.entries()) {
          if (all.size === 0) continue;
          assert.equal(
            written.eachMissingOf(tensor, e => assert.ok(!all.has(e))),
            96 - all.size,
          );
        }
      }),
      { seed: 20261121, numRuns: 400 },
    );
  });
});

function elements({ offset, dims }: { offset: number; dims: [number, number][] }): number[] {
  return dims.reduce((all, [stride, count]) => all.flatMap(e => Array.from({ length: count }, (_, k) => e + k * stride)), [offset]);
}
