/** Where fills go, and what that saves of kernels that spill. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import type { Program } from '../../../../src/simulator/program/program';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile } from '../../../support/stages';

/** 32 KiB of each partition: three quarters of NeuronCore-v3's SBUF hold five. */
const COLUMNS = 8192;
const SLICES = 8;
const TILE_BYTES = 128 * COLUMNS * 4;

/**
 * Sums in SBUF, as blocked matrix products have them: all are filled with zeros, then each gets its products, then all are stored.
 * @param together sums that get their products in turns, slice by slice
 */
function sums(count: number, together: number): Program {
  const b = new ProgramBuilder({ target: 'trn2' });
  const x = b.sbuf('x', [128, COLUMNS / SLICES]);
  b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('in', [128, COLUMNS / SLICES], 'float32', 'input') });
  const all = Array.from({ length: count }, (_, k) => b.sbuf(`sum${k}`, [128, COLUMNS]));
  for (const dst of all) b.record('nki.isa.memset', { dst }, { value: 0 });
  for (let first = 0; first < count; first += together)
    for (let k = 0; k < SLICES; k++) for (const sum of all.slice(first, first + together)) add(b, sum, k, x);
  for (const [k, src] of all.entries()) b.record('nki.isa.dma_copy', { dst: b.hbm(`y${k}`, [128, COLUMNS], 'float32', 'output'), src });
  return b.finish();
}

function add(b: ProgramBuilder, sum: Tensor, k: number, x: Tensor) {
  const data1 = sum.slice(':', [(k * COLUMNS) / SLICES, ((k + 1) * COLUMNS) / SLICES]);
  b.record('nki.isa.tensor_tensor', { dst: data1, data1, data2: x }, { op: 'add' });
}

/** Bytes of saves and of reloads, and how many DMAs they are. */
function spills({ transfers, queues }: Compiled) {
  let [bytes, dmas] = [0, 0];
  for (const [t, queue] of transfers.queue.entries())
    if (/Spill/.test(queues[queue].name)) [bytes, dmas] = [bytes + transfers.bytes[t], dmas + 1];
  return { tiles: bytes / TILE_BYTES, dmas };
}

const opcodes = ({ instructions, opcodes }: Compiled) => Array.from(instructions.opcode, code => opcodes[code]);

describe('late fills', () => {
  it('of a kernel that spills: each tile is filled right before its first sum, so that it is saved and loaded once', () => {
    const c = compile(sums(12, 1), { pipeline: 'literal' });

    const fills = [...opcodes(c).entries()].filter(([, name]) => name === 'MEMSET').map(([at]) => at);
    assert.equal(fills.length, 12);
    for (const at of fills) assert.equal(opcodes(c)[at + 1], 'TENSOR_TENSOR');
    const { tiles, dmas } = spills(c);
    assert.ok(tiles > 0 && tiles <= 2 * 12, `${tiles} tiles moved`);
    assert.equal(dmas, tiles, 'whole tiles, by one DMA each');
  });

  it('of a kernel that fits: where they were', () => {
    const names = opcodes(compile(sums(3, 1), { pipeline: 'literal' }));
    assert.deepEqual(names.filter(name => name === 'MEMSET').length, 3);
    assert.ok(names.lastIndexOf('MEMSET') < names.indexOf('TENSOR_TENSOR'));
  });
});

describe('spilled tensors', () => {
  it('give way part by part where whole ones would move more', () => {
    // Eight sums in turns: each slice of a sum needs the whole sum, or a part of it.
    const { tiles, dmas } = spills(compile(sums(8, 8), { pipeline: 'literal' }));
    assert.ok(dmas > tiles, `${dmas} DMAs of ${tiles} tiles`);
    assert.ok(tiles < 2 * 8, `${tiles} tiles moved`);
  });
});
