/** Rewritten kernels whose `nl.matmul` transposes x: they keep their order where the policy says so. */
import assert from 'node:assert/strict';
import type { CompileReport } from '../../../../src/simulator/compile/report';
import { ProgramBuilder } from '../../../support/programs';
import { compile } from '../../../support/stages';

function compiled(target: 'trn1' | 'trn2', transposed: boolean) {
  const b = new ProgramBuilder({ target, dialect: 'neuronxcc' });
  const [x, y] = [b.sbuf('x', [128, 128]), b.sbuf('y', [128, 512])];
  for (const [k, dst] of [x, y].entries())
    b.record('nki.isa.dma_copy', { dst, src: b.hbm(`in${k}`, [128, k === 0 ? 128 : 512], 'float32', 'input') });
  const product = b.psum('product', [128, 512]);
  b.record('nki.language.matmul', { dst: product, x, y }, { transpose_x: transposed }, { line: 7 });
  b.record('nki.language.store', { dst: b.hbm('out', [128, 512], 'float32', 'output'), value: product });
  const reports: CompileReport[] = [];
  const { checks } = compile(b.finish(), { pipeline: 'rewriting', onReport: report => reports.push(report) });
  return { checks, passes: reports[0].attempts.at(-1)!.passes.map(({ name }) => name) };
}

describe('nl.matmul of a rewritten kernel', () => {
  it('keeps the order of the program where it transposes x, on Trn2 only', () => {
    assert.ok(!compiled('trn2', false).passes.includes('list scheduling'));
    assert.ok(compiled('trn2', true).passes.includes('list scheduling'));
    assert.ok(compiled('trn1', false).passes.includes('list scheduling'));
  });

  it('has a note on its line there', () => {
    const { checks } = compiled('trn2', false);
    assert.deepEqual(
      checks.map(({ severity, line }) => [severity, line]),
      [['info', 7]],
    );
    assert.match(checks[0].message, /transpose_x=True/);
    assert.deepEqual([...compiled('trn2', true).checks, ...compiled('trn1', false).checks], []);
  });
});
