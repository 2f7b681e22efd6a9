/** Tiles that a kernel placed over each other: their accesses are ordered, and reading what another tile overwrote is an error. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../src/simulator/compile/compiled';
import { ProgramBuilder, type Tensor } from '../../support/programs';
import { compile } from '../../support/stages';

type Placed = (name: string, addressBytes: number, columns?: number) => Tensor;

/** The program of a kernel with an input of [128, 128] and tiles at chosen addresses. */
function compiled(record: (b: ProgramBuilder, tile: Placed, x: Tensor, out: Tensor) => void): Compiled {
  const b = new ProgramBuilder();
  const x = b.hbm('x', [128, 128], 'float32', 'input');
  const out = b.hbm('out', [128, 128], 'float32', 'output');
  record(b, (name, addressBytes, columns = 128) => b.sbuf(name, [128, columns], 'float32', { addressBytes, line: 3 }), x, out);
  return compile(b.finish());
}

/** Instructions and transfers that `instruction` waits for, transfers as `t0`, `t1`, ... */
function waits({ dependencies, instructions }: Compiled, instruction: number): string[] {
  const count = instructions.track.length;
  const events = dependencies.event.subarray(dependencies.start[instruction], dependencies.start[instruction + 1]);
  return [...events].map(event => (event < count ? `${event}` : `t${event - count}`));
}

describe('tiles over each other', () => {
  it('wait for what the other tile was used for, again and again', () => {
    const c = compiled((b, tile, x, out) => {
      const [a, o] = [tile('a', 0), tile('b', 256)];
      for (const t of [a, o, a]) {
        b.record('nki.isa.dma_copy', { dst: t, src: x });
        b.record('nki.isa.dma_copy', { dst: out, src: t });
      }
    });
    // Loads 2 and 4 overwrite what stores 1 and 3 read; without an order they would race.
    assert.ok(waits(c, 2).includes('t1'), String(waits(c, 2)));
    assert.ok(waits(c, 4).includes('t3'), String(waits(c, 4)));
    assert.deepEqual(c.checks, []);
  });

  it('do not wait where they only stand side by side', () => {
    const c = compiled((b, tile, x) => {
      b.record('nki.isa.dma_copy', { dst: tile('a', 0), src: x });
      b.record('nki.isa.dma_copy', { dst: tile('b', 512), src: x });
    });
    assert.deepEqual(waits(c, 1), []);
  });

  it('keep parts apart that do not touch, and see the ones that do', () => {
    const c = compiled((b, tile, x) => {
      const [wide, low, high] = [tile('wide', 0, 256), tile('low', 0, 64), tile('high', 512)];
      b.record('nki.isa.memset', { dst: wide.slice(':', [0, 128]) }, { value: 0, engine: 'Vector' });
      b.record('nki.isa.dma_copy', { dst: high, src: x });
      b.record('nki.isa.dma_copy', { dst: low, src: x.slice(':', [0, 64]) });
    });
    assert.deepEqual(
      [1, 2].map(i => waits(c, i)),
      [[], ['0']],
    );
  });

  it('say when one is read where the other was written since', () => {
    const c = compiled((b, tile, x, out) => {
      const [a, o] = [tile('a', 0), tile('b', 256)];
      b.record('nki.isa.dma_copy', { dst: a, src: x }, {}, { line: 5 });
      b.record('nki.isa.dma_copy', { dst: o, src: x }, {}, { line: 6 });
      b.record('nki.isa.dma_copy', { dst: out, src: a }, {}, { line: 7 });
    });
    assert.equal(c.checks.length, 1);
    const [{ severity, line, message }] = c.checks;
    assert.deepEqual([severity, line], ['error', 7]);
    assert.match(message, /reads a \(line 3, SBUF bytes 0 to 511\), where line 6 has written b \(line 3, SBUF bytes 256 to 767\)/);
  });

  it('say nothing when the part that is read is whole, or was written again', () => {
    const c = compiled((b, tile, x, out) => {
      const [a, o] = [tile('a', 0), tile('b', 256)];
      b.record('nki.isa.dma_copy', { dst: a, src: x });
      b.record('nki.isa.dma_copy', { dst: o, src: x });
      b.record('nki.isa.dma_copy', { dst: out.slice(':', [0, 64]), src: a.slice(':', [0, 64]) });
      b.record('nki.isa.dma_copy', { dst: a, src: x });
      b.record('nki.isa.dma_copy', { dst: out, src: a });
    });
    assert.deepEqual(c.checks, []);
  });
});
