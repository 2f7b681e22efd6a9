/** Loads that a kernel repeats: which are left out of kernels that run as written. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import { elementValues } from '../../../support/elementValues';
import { ProgramBuilder } from '../../../support/programs';
import { compile } from '../../../support/stages';

const ROWS = 8;
const COLUMNS = 16;

/** Adds the same `tiles` tensors again and again; each turn loads all of them. */
function turns(count: number, tiles: number, options: { dialect?: 'nki' | 'neuronxcc'; written?: boolean } = {}) {
  const b = new ProgramBuilder({ target: 'trn2', dialect: options.dialect ?? 'nki' });
  const inputs = Array.from({ length: tiles }, (_, k) => b.hbm(`x${k}`, [ROWS, COLUMNS], 'float32', 'input'));
  const sum = b.sbuf('sum', [ROWS, COLUMNS]);
  b.record('nki.isa.memset', { dst: sum }, { value: 0 });
  for (let turn = 0; turn < count; turn++)
    for (const [k, src] of inputs.entries()) {
      const tile = b.sbuf(`tile${turn}.${k}`, [ROWS, COLUMNS]);
      b.record('nki.isa.dma_copy', { dst: tile, src });
      b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2: tile }, { op: 'add' });
      if (options.written) b.record('nki.isa.dma_copy', { dst: src, src: sum });
    }
  b.record('nki.isa.dma_copy', { dst: b.hbm('y', [ROWS, COLUMNS], 'float32', 'output'), src: sum });
  return b.finish();
}

const blocksOf = (instructions: number) => ({ policy: withValues(neuronPolicy, { loadBlockInstructions: instructions }) });
const dmas = (c: Compiled) => c.transfers.bytes.length;

describe('redundant-load elimination of kernels that run as written', () => {
  it('loads a tile once in each block of instructions, and leaves every value as it was', () => {
    const program = turns(6, 4);
    const all = compile(program, blocksOf(1));
    assert.equal(dmas(all), 6 * 4 + 1);
    // a turn has eight instructions, and the fill comes before the first
    for (const [instructions, loads] of [
      [17, 3 * 4],
      [25, 2 * 4],
      [1000, 4],
    ]) {
      const c = compile(program, blocksOf(instructions));
      assert.equal(dmas(c), loads + 1, `${instructions}`);
      assert.deepEqual(elementValues(c), elementValues(all));
    }
  });

  it('keeps loads of what the kernel writes, and all loads of a kernel that is compiled by itself', () => {
    assert.equal(dmas(compile(turns(3, 2, { written: true }))), 3 * 2 * 2 + 1);
    assert.equal(dmas(compile(turns(3, 2), { pipeline: 'standalone' })), 3 * 2 + 1);
  });

  it('of legacy kernels loads a tile once in all', () => {
    assert.equal(dmas(compile(turns(6, 4, { dialect: 'neuronxcc' }), { ...blocksOf(1), pipeline: 'literal' })), 4 + 1);
  });
});
