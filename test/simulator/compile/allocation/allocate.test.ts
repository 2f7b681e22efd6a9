/** Tensors that live at the same time never share bytes; what does not fit says why. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FreeSpace } from '../../../../src/simulator/compile/allocation/freeSpace';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import type { Strategy } from '../../../../src/simulator/compile/policy';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import { KernelError } from '../../../../src/simulator/program/error';
import { ProgramBuilder } from '../../../support/programs';
import { randomProgram } from '../../../support/randomPrograms';
import { allLoads, compile, inOrder } from '../../../support/stages';

function overlaps({ patterns, allocation: a }: Compiled): [number, number][] {
  const found: [number, number][] = [];
  for (let s = 0; s < patterns.tensors; s++)
    for (let t = 0; t < s; t++) {
      if (a.addressBytes[s] < 0 || a.addressBytes[t] < 0 || patterns.space(s) !== patterns.space(t)) continue;
      const bytes =
        a.addressBytes[s] < a.addressBytes[t] + patterns.bytesPerPartition(t) &&
        a.addressBytes[t] < a.addressBytes[s] + patterns.bytesPerPartition(s);
      const time = a.firstUse[s] <= a.lastUse[t] && a.firstUse[t] <= a.lastUse[s];
      if (bytes && time) found.push([s, t]);
    }
  return found;
}

/** The address of a new holder's place, or -1. */
function taken(space: FreeSpace, holder: number, sizeBytes: number): number {
  const at = space.place(holder, sizeBytes);
  if (at >= 0) space.occupy(holder, at, at + sizeBytes);
  return at;
}

describe('allocation', () => {
  it('never overlaps tensors that live together, and stays inside the memory', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), seed => {
        const compiled = compile(randomProgram(seed, 80));
        assert.deepEqual(overlaps(compiled), []);
        const { patterns, allocation, machine } = compiled;
        for (let t = 0; t < patterns.tensors; t++)
          assert.ok(allocation.addressBytes[t] + patterns.bytesPerPartition(t) <= machine.sbufBytesPerPartition.value);
      }),
      { numRuns: 30, seed: 5 },
    );
  });

  it('alternates buffers: a tile of the next iteration does not take the place just left', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [128, 512], 'float32', 'input');
    const tiles = [0, 1, 2].map(k => b.sbuf(`t${k}`, [128, 512]));
    for (const tile of tiles) b.record('nki.isa.dma_copy', { dst: tile, src: x });
    const { allocation } = compile(b.finish(), { policy: allLoads });
    assert.equal(new Set(tiles.map(t => allocation.addressBytes[t.index])).size, 3);
  });

  it('keeps a PSUM tile inside one bank', () => {
    const space = new FreeSpace(16384, { bytes: 4, bankBytes: 2048 }, 'oldest');
    for (let k = 0; k < 12; k++) {
      const address = taken(space, k, 1200);
      if (k < 8) assert.equal(Math.floor(address / 2048), Math.floor((address + 1199) / 2048));
      else assert.equal(address, -1);
    }
  });

  it('shares the place of what the kernel placed, before and after its uses, when nothing else is left', () => {
    const b = new ProgramBuilder();
    const bank = (name: string, addressBytes?: number) => b.psum(name, [128, 512], 'float32', { addressBytes });
    const placed = [0, 1, 2, 3, 4, 5, 6, 7].map(k => bank(`placed${k}`, k * 2048));
    const [before, after] = [bank('before'), bank('after')];
    const x = b.sbuf('x', [128, 512]);
    for (const tile of [before, ...placed, after]) {
      b.record('nki.isa.tensor_copy', { dst: tile, src: x });
      b.record('nki.isa.tensor_copy', { dst: x, src: tile });
    }
    const compiled = compile(b.finish());
    assert.deepEqual(overlaps(compiled), []);
    for (const [k, tile] of placed.entries()) assert.equal(compiled.allocation.addressBytes[tile.index], k * 2048);
  });

  it('takes the space that was given up first', () => {
    const space = new FreeSpace(4096, { bytes: 32, bankBytes: 0 }, 'oldest');
    const places = [0, 1, 2, 3].map(k => taken(space, k, 1024));
    assert.deepEqual(places, [0, 1024, 2048, 3072]);
    for (const k of [2, 0, 3]) space.release(k);
    assert.deepEqual(
      [4, 5, 6].map(k => taken(space, k, 1024)),
      [2048, 0, 3072],
    );
  });

  it('keeps large tensors apart from small ones that would cut up their space', () => {
    const [small, large] = [128, 1024];
    const lives = (strategy: 'oldest' | 'apart') => {
      const packed = strategy === 'apart' ? { has: (tensor: number) => tensor >= 100, reservedBytes: 2 * large } : undefined;
      const space = new FreeSpace(8192, { bytes: 32, bankBytes: 0 }, strategy, [], packed);
      for (let k = 0; k < 56; k++) {
        taken(space, k, small);
        if (k >= 2 && k % 2 === 0) space.release(k - 1);
      }
      return [100, 101].map(k => taken(space, k, large) >= 0);
    };
    assert.deepEqual(lives('apart'), [true, true]);
    assert.deepEqual(lives('oldest'), [true, false]);
  });

  it('lets short-lived tiles alternate where long-lived ones of two sizes nearly fill SBUF', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const tile = (name: string, bytes: number) => b.sbuf(name, [128, bytes / 4]);
    const kept = Array.from({ length: 480 }, (_, k) => tile(`kept${k}`, 256));
    for (const dst of kept) b.record('nki.isa.memset', { dst }, { value: 0 });
    const out = b.hbm('out', [128, 64], 'float32', 'output');
    const parts: number[] = [];
    for (let block = 0; block < 3; block++) {
      const rows = Array.from({ length: 72 }, (_, k) => tile(`row${block}_${k}`, 1024));
      for (const row of rows)
        for (let k = 0; k < 4; k++) {
          const part = tile(`part${parts.length}`, 256);
          parts.push(part.index);
          b.record('nki.isa.memset', { dst: part }, { value: 0 });
          b.record('nki.isa.tensor_copy', { dst: row.slice(':', [64 * k, 64 * k + 64]), src: part });
        }
      for (const src of rows) b.record('nki.isa.tensor_copy', { dst: kept[0], src: src.slice(':', [0, 64]) });
    }
    for (const src of kept) b.record('nki.isa.dma_copy', { dst: out, src });
    const program = b.finish();
    const addresses = (strategies: readonly Strategy[]) => {
      const { allocation } = compile(program, { policy: withValues(inOrder, { strategies }) });
      return new Set(parts.slice(-64).map(tensor => allocation.addressBytes[tensor])).size;
    };
    const [all, packed] = [addresses(neuronPolicy.strategies.value), addresses(['pack'])];
    assert.ok(all >= 8 && packed <= 2, `${all} places, packed ${packed}`);
  });

  it('packs when alternating does not fit', () => {
    const b = new ProgramBuilder({ target: 'trn1' });
    const kib = (n: number, name: string) => b.sbuf(name, [128, n * 256]);
    const keep = kib(82, 'keep');
    b.record('nki.isa.memset', { dst: keep }, { value: 0 });
    for (let k = 0; k < 4; k++) b.record('nki.isa.memset', { dst: kib(60 + k, `t${k}`) }, { value: 0 });
    b.record('nki.isa.tensor_copy', { dst: kib(82, 'last'), src: keep });
    assert.deepEqual(overlaps(compile(b.finish())), []);
  });

  it('packs only the memory that lacks space: buffers in the other one alternate', () => {
    const b = new ProgramBuilder({ target: 'trn1' });
    const kib = (n: number, name: string) => b.sbuf(name, [128, n * 256]);
    const keep = kib(82, 'keep');
    const banks = [0, 1, 2].map(k => b.psum(`bank${k}`, [128, 512]));
    b.record('nki.isa.memset', { dst: keep }, { value: 0 });
    for (const bank of banks) b.record('nki.isa.memset', { dst: bank }, { value: 0 });
    for (let k = 0; k < 4; k++) b.record('nki.isa.memset', { dst: kib(60 + k, `t${k}`) }, { value: 0 });
    b.record('nki.isa.tensor_copy', { dst: kib(82, 'last'), src: keep });
    const { allocation } = compile(b.finish());
    assert.equal(new Set(banks.map(({ index }) => allocation.addressBytes[index])).size, 3);
  });

  it('says at the line of the tensor what does not fit, how much there is and who holds it', () => {
    const b = new ProgramBuilder({ target: 'trn1' });
    const big = b.sbuf('weights', [128, 40_000], 'float32', { line: 11 });
    const more = b.sbuf('activations', [128, 20_000], 'float32', { line: 12 });
    b.record('nki.isa.memset', { dst: big }, { value: 0 });
    b.record('nki.isa.memset', { dst: more }, { value: 0 });
    b.record('nki.isa.tensor_copy', { dst: more, src: big.slice(':', [0, 20_000]) });
    assert.throws(
      () => compile(b.finish()),
      (error: KernelError) => {
        assert.ok(error instanceof KernelError);
        assert.equal(error.line, 12);
        assert.match(
          error.message,
          /activations \(78\.13 KiB per partition\) does not fit: SBUF of NeuronCore-v2 has 176 KiB of each partition for tensors;/,
        );
        assert.match(
          error.message,
          /234\.38 KiB are needed at once: weights 156\.25 KiB \(line 11\), activations .*; 58\.38 KiB are missing$/,
        );
        return true;
      },
    );
  });

  it('honours addresses the kernel chose', () => {
    const b = new ProgramBuilder();
    const [here, any] = [b.sbuf('here', [128, 256], 'float32', { addressBytes: 4096 }), b.sbuf('any', [128, 4096])];
    b.record('nki.isa.memset', { dst: here }, { value: 0 });
    b.record('nki.isa.memset', { dst: any }, { value: 0 });
    const compiled = compile(b.finish());
    assert.equal(compiled.allocation.addressBytes[here.index], 4096);
    assert.deepEqual(overlaps(compiled), []);
  });

  it('lets the kernel place a tile where the compiler keeps SBUF for itself, and places no other there (andxalex/CS149)', () => {
    const b = new ProgramBuilder({ target: 'trn1' });
    const [last, any] = [b.sbuf('last', [128, 1000], 'float32', { addressBytes: 188_000 }), b.sbuf('any', [128, 40_000])];
    b.record('nki.isa.memset', { dst: last }, { value: 0 });
    b.record('nki.isa.memset', { dst: any }, { value: 0 });
    const { allocation, machine } = compile(b.finish());
    assert.deepEqual(
      [last, any].map(({ index }) => allocation.addressBytes[index]),
      [188_000, 0],
    );
    assert.ok(machine.sbufBytesPerPartition.value < 188_000);
  });
});
