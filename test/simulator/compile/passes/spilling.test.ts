/** Tiles that do not fit: what is saved and loaded again, and that every instruction still reads what it would have read. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ACCUMULATE, type Compiled, READ } from '../../../../src/simulator/compile/compiled';
import { HBM, PSUM, SBUF } from '../../../../src/simulator/compile/patterns';
import { bounds } from '../../../../src/simulator/schedule/bounds';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { ProgramBuilder } from '../../../support/programs';
import { compile } from '../../../support/stages';

/** 32 KiB of each partition: NeuronCore-v2 has room for six. */
const COLUMNS = 8192;
const FIT = 6;

type Step = [dst: number, a: number, b: number];

/** Twice around: every tile takes its neighbour's sum, so all live till the end. */
const ring = (tiles: number) => Array.from({ length: 2 * tiles }, (_, k): Step => [k % tiles, k % tiles, (k + tiles - 1) % tiles]);

/** `loaded` tiles come from HBM; then sums of tiles into tiles; at the end all tiles are stored. */
function program(tiles: number, loaded: number, steps: readonly Step[]) {
  const b = new ProgramBuilder({ target: 'trn1' });
  const all = Array.from({ length: tiles }, (_, k) => b.sbuf(`t${k}`, [128, COLUMNS]));
  for (const [k, tile] of all.entries())
    if (k < loaded) b.record('nki.isa.dma_copy', { dst: tile, src: b.hbm(`x${k}`, [128, COLUMNS], 'float32', 'input') });
    else b.record('nki.isa.memset', { dst: tile }, { value: k });
  for (const [dst, x, y] of steps) b.record('nki.isa.tensor_tensor', { dst: all[dst], data1: all[x], data2: all[y] }, { op: 'add' });
  for (const [k, tile] of all.entries())
    b.record('nki.isa.dma_copy', { dst: b.hbm(`y${k}`, [128, COLUMNS], 'float32', 'output'), src: tile });
  return b.finish();
}

/** What the code leaves in the outputs, as text: every instruction writes what it does and what it read over whole tensors. */
function outputs(c: Compiled): string[] {
  const { accessStart, detail, transfer, opcode } = c.instructions;
  const moves = (i: number) => transfer[i] >= 0 || c.opcodes[opcode[i]] === 'COPY';
  const values = new Map<number, string>();
  for (let i = 0; i < opcode.length; i++) {
    const reads: string[] = [];
    const writes: number[] = [];
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tensor = c.patterns.tensor(c.accesses.pattern[a]);
      if (c.accesses.role[a] === READ || c.accesses.role[a] === ACCUMULATE)
        reads.push(values.get(tensor) ?? `nothing in ${c.patterns.name(tensor)}`);
      if (c.accesses.role[a] !== READ) writes.push(tensor);
    }
    for (const tensor of writes)
      values.set(tensor, moves(i) ? reads[0] : hash(`${c.opcodes[opcode[i]]} ${c.details[detail[i]].before}(${reads.join()})`));
  }
  const result: string[] = [];
  for (let tensor = 0; tensor < c.patterns.programTensors; tensor++)
    if (c.patterns.name(tensor).startsWith('y')) result.push(`${c.patterns.name(tensor)} = ${values.get(tensor)}`);
  return result;
}

function hash(text: string): string {
  let h = 17;
  for (let k = 0; k < text.length; k++) h = (Math.imul(h, 31) + text.charCodeAt(k)) | 0;
  return String(h);
}

const moved = (c: Compiled, queue: RegExp) => {
  let bytes = 0;
  for (const [t, q] of c.transfers.queue.entries()) if (queue.test(c.queues[q].name)) bytes += c.transfers.bytes[t];
  return bytes;
};
const TILE_BYTES = 128 * COLUMNS * 4;

describe('spilling', () => {
  it('leaves every value where it was', () => {
    const tile = fc.nat(9);
    let spilled = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(tile, tile, tile), { minLength: 1, maxLength: 30 }), fc.nat(10), (steps, loaded) => {
        const tiles = 10;
        const c = compile(program(tiles, loaded, steps), { pipeline: 'rewriting' });

        assert.deepEqual(outputs(c), outputs(compile(small(tiles, loaded, steps), { pipeline: 'literal' })));
        assert.ok(schedule(c).bodyEndNs >= bounds(c).ns - 1e-6);
        if (moved(c, /Spill/) > 0) spilled++;
      }),
      { numRuns: 30, seed: 11 },
    );
    assert.ok(spilled > 5, `only ${spilled} programs had to spill`);
  });

  /** The same instructions over tiles that fit. */
  function small(tiles: number, loaded: number, steps: readonly Step[]) {
    const b = new ProgramBuilder({ target: 'trn1' });
    const all = Array.from({ length: tiles }, (_, k) => b.sbuf(`t${k}`, [128, 8]));
    for (const [k, t] of all.entries())
      if (k < loaded) b.record('nki.isa.dma_copy', { dst: t, src: b.hbm(`x${k}`, [128, 8], 'float32', 'input') });
      else b.record('nki.isa.memset', { dst: t }, { value: k });
    for (const [dst, x, y] of steps) b.record('nki.isa.tensor_tensor', { dst: all[dst], data1: all[x], data2: all[y] }, { op: 'add' });
    for (const [k, t] of all.entries()) b.record('nki.isa.dma_copy', { dst: b.hbm(`y${k}`, [128, 8], 'float32', 'output'), src: t });
    return b.finish();
  }

  it('saves what was computed, and loads again what only was loaded', () => {
    const computed = compile(program(FIT + 2, 0, ring(FIT + 2)), { pipeline: 'rewriting' });
    assert.ok(moved(computed, /SpillSave/) >= TILE_BYTES);
    assert.ok(moved(computed, /SpillReload/) >= moved(computed, /SpillSave/));
    const others = Array.from({ length: 2 * FIT + 2 }, (_, k): Step => [0, 0, 1 + (k % (FIT + 1))]);
    const loaded = compile(program(FIT + 2, FIT + 2, others), { pipeline: 'rewriting' });
    assert.equal(moved(loaded, /Spill/), 0);
    assert.ok(moved(loaded, /IO/) > (FIT + 2) * 2 * TILE_BYTES);
  });

  it('does nothing where tiles fit', () => {
    const fits = compile(program(FIT, 0, []), { pipeline: 'rewriting' });
    assert.equal(moved(fits, /Spill/), 0);
    assert.deepEqual(fits.checks, []);
  });

  it('refuses an instruction whose own tiles do not fit', () => {
    const b = new ProgramBuilder({ target: 'trn1' });
    const [x, y] = [b.sbuf('x', [128, 4 * COLUMNS]), b.sbuf('y', [128, 4 * COLUMNS])];
    b.record('nki.isa.memset', { dst: x }, { value: 1 });
    b.record('nki.isa.tensor_tensor', { dst: y, data1: x, data2: x }, { op: 'add' });
    assert.throws(() => compile(b.finish(), { pipeline: 'rewriting' }), /does not fit/);
  });

  /** Products in `banks` banks of PSUM, each copied out after all of them were made. */
  function products(banks: number, columns = 512) {
    const b = new ProgramBuilder({ target: 'trn1' });
    const x = b.sbuf('x', [128, 128]);
    const tile = b.sbuf('tile', [128, columns]);
    const all = Array.from({ length: banks }, (_, k) => b.psum(`p${k}`, [128, columns]));
    b.record('nki.isa.memset', { dst: x }, { value: 1 });
    b.record('nki.isa.memset', { dst: tile }, { value: 2 });
    for (const dst of all) b.record('nki.isa.nc_matmul', { dst, stationary: x, moving: tile }, { accumulate: false });
    for (const dst of all) b.record('nki.isa.nc_matmul', { dst, stationary: x, moving: tile }, { accumulate: true });
    for (const [k, src] of all.entries()) {
      b.record('nki.isa.tensor_tensor', { dst: tile, data1: tile, data2: src }, { op: 'add' });
      b.record('nki.isa.dma_copy', { dst: b.hbm(`y${k}`, [128, columns], 'float32', 'output'), src: tile });
    }
    return b.finish();
  }

  it('moves tiles of PSUM to SBUF and back where its banks are not enough', () => {
    const copies = (c: Compiled) => [...c.instructions.opcode].filter(code => c.opcodes[code] === 'COPY').length;
    const fits = compile(products(8), { pipeline: 'rewriting' });
    const c = compile(products(20), { pipeline: 'rewriting' });

    assert.equal(copies(fits), 0);
    // Twelve banks' products have to go before the second round and after it, and come back for each.
    assert.ok(copies(c) >= 4 * 12, `${copies(c)} copies`);
    assert.deepEqual(outputs(c), outputs(compile(products(20, 8), { pipeline: 'literal' })));
    const { patterns, allocation, machine } = c;
    for (let tensor = 0; tensor < patterns.tensors; tensor++)
      if (patterns.space(tensor) === PSUM && allocation.firstUse[tensor] >= 0)
        assert.ok(allocation.addressBytes[tensor] + patterns.bytesPerPartition(tensor) <= machine.psumBytesPerPartition.value);
  });

  it('keeps spilled tiles out of SBUF while they are away', () => {
    const c = compile(program(12, 6, ring(12)), { pipeline: 'rewriting' });
    for (let tensor = 0; tensor < c.patterns.tensors; tensor++)
      if (c.patterns.space(tensor) === SBUF && c.allocation.firstUse[tensor] >= 0)
        assert.ok(c.allocation.addressBytes[tensor] + c.patterns.bytesPerPartition(tensor) <= c.machine.sbufBytesPerPartition.value);
    assert.ok([...Array(c.patterns.tensors).keys()].some(t => c.patterns.space(t) === HBM && c.patterns.name(t) === 'spill'));
  });
});
