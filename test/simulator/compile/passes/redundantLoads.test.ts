/** Loads that a kernel repeats: which are left out. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import { machineFor } from '../../../../src/simulator/hardware/targets';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import { elementValues } from '../../../support/elementValues';
import { ProgramBuilder, type Slice, type Tensor } from '../../../support/programs';
import { compile } from '../../../support/stages';

const ROWS = 8;
const COLUMNS = 16;

/** Adds the same `tiles` tensors again and again; each turn loads all of them, and one of its own in two halves (`others`). */
function turns(count: number, tiles: number, options: { dialect?: 'nki' | 'neuronxcc'; written?: boolean; others?: boolean } = {}) {
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
      if (options.others && k === 0) loadInHalves(b, sum, turn);
    }
  b.record('nki.isa.dma_copy', { dst: b.hbm('y', [ROWS, COLUMNS], 'float32', 'output'), src: sum });
  return b.finish();
}

function loadInHalves(b: ProgramBuilder, sum: Tensor, turn: number): void {
  const src = b.hbm(`other${turn}`, [ROWS, COLUMNS], 'float32', 'input');
  const tile = b.sbuf(`other${turn}.tile`, [ROWS, COLUMNS]);
  for (const half of [0, 1]) {
    const columns: Slice = [(half * COLUMNS) / 2, ((half + 1) * COLUMNS) / 2];
    b.record('nki.isa.dma_copy', { dst: tile.slice(':', columns), src: src.slice(':', columns) });
  }
  b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2: tile }, { op: 'add' });
}

const windowOf = (bytes: number, instructionBytes: number) => ({
  policy: withValues(neuronPolicy, { loadWindowBytes: bytes, loadWindowInstructionBytes: instructionBytes }),
});
const dmas = (c: Compiled) => c.transfers.bytes.length;

describe('redundant-load elimination of kernels that run as written', () => {
  it('loads a tile again when loads and other instructions have filled the window, and leaves every value as it was', () => {
    const program = turns(6, 4);
    const all = compile(program, windowOf(0, 0));
    assert.equal(dmas(all), 6 * 4 + 1);
    // The four loads of a turn fill 256 bytes of each partition, and its four additions count as 16 each.
    for (const [bytes, turnsWithLoads] of [
      [319, 6],
      [320, 3],
      [383, 3],
      [384, 2],
      [1000, 1],
    ]) {
      const c = compile(program, windowOf(bytes, 16));
      assert.equal(dmas(c), turnsWithLoads * 4 + 1, `${bytes}`);
      assert.deepEqual(elementValues(c), elementValues(all));
    }
  });

  it('counts loads that have to stay', () => {
    const others = turns(6, 4, { others: true });
    assert.equal(dmas(compile(others, windowOf(320, 0))) - 6 * 2 - 1, 3 * 4);
    assert.equal(dmas(compile(turns(6, 4), windowOf(320, 0))) - 1, 4);
  });

  it('keeps loads of what the kernel writes, and all loads of a kernel that is compiled by itself', () => {
    assert.equal(dmas(compile(turns(3, 2, { written: true }))), 3 * 2 * 2 + 1);
    assert.equal(dmas(compile(turns(3, 2), { pipeline: 'standalone' })), 3 * 2 + 1);
  });

  it('of legacy kernels loads a tile once in all', () => {
    assert.equal(dmas(compile(turns(6, 4, { dialect: 'neuronxcc' }), { ...windowOf(0, 0), pipeline: 'literal' })), 4 + 1);
  });
});

/** Loads each of `tiles` tiles of one tensor `times` times: one after the other, or all of them in each turn. */
function tilesOfOne(tiles: number, times: number, order: 'one after the other' | 'in turn') {
  const b = new ProgramBuilder({ target: 'trn1', dialect: 'neuronxcc' });
  const x = b.hbm('x', [ROWS * tiles, COLUMNS], 'float32', 'input');
  const sum = b.sbuf('sum', [ROWS, COLUMNS]);
  b.record('nki.isa.memset', { dst: sum }, { value: 0 });
  const add = (tile: number) => {
    const loaded = b.sbuf('loaded', [ROWS, COLUMNS]);
    b.record('nki.isa.dma_copy', { dst: loaded, src: x.slice([ROWS * tile, ROWS * (tile + 1)]) });
    b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2: loaded }, { op: 'add' });
  };
  for (let k = 0; k < tiles * times; k++) add(order === 'in turn' ? k % tiles : Math.floor(k / times));
  b.record('nki.isa.dma_copy', { dst: b.hbm('y', [ROWS, COLUMNS], 'float32', 'output'), src: sum });
  return b.finish();
}

describe('redundant-load elimination of rewritten kernels', () => {
  const sbufBytes = machineFor('trn1').sbufBytesPerPartition.value;
  const options = (room: number, windowInstructions: number) => ({
    pipeline: 'rewriting' as const,
    policy: withValues(neuronPolicy, { windowInstructions, residentShare: ((room + 0.5) * COLUMNS * 4) / sbufBytes }),
  });

  it('loads a tensor once that fits, and else leaves out what follows within the instructions that the scheduler looks at', () => {
    const program = tilesOfOne(6, 3, 'in turn');
    // a load and an addition for each of six tiles
    assert.equal(dmas(compile(program, options(5, 11))), 6 * 3 + 1);
    assert.equal(dmas(compile(program, options(6, 11))), 6 + 1);
    assert.equal(dmas(compile(program, options(5, 12))), 6 + 1);
    const near = tilesOfOne(6, 3, 'one after the other');
    assert.equal(dmas(compile(near, options(0, 1))), 6 * 3 + 1);
    assert.equal(dmas(compile(near, options(0, 2))), 6 + 1);
    assert.deepEqual(elementValues(compile(program, options(5, 12))), elementValues(compile(program, options(5, 11))));
  });
});
