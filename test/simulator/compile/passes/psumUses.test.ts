/** PSUM in the rewriting pipeline: fills with zeros, copies that are merged, and copies that nobody needs. */
import assert from 'node:assert/strict';
import { type Compiled, WRITE } from '../../../../src/simulator/compile/compiled';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile } from '../../../support/stages';

const TILES = 4;

interface Tiles {
  b: ProgramBuilder;
  left: Tensor;
  right: Tensor;
  wide: Tensor;
}

function built(kernel: (tiles: Tiles) => void, pipeline: 'literal' | 'rewriting' = 'rewriting'): Compiled {
  const b = new ProgramBuilder({ target: 'trn2' });
  const [left, right] = [b.sbuf('left', [128, 128], 'bfloat16'), b.sbuf('right', [128, 128], 'bfloat16')];
  const wide = b.sbuf('wide', [128, TILES * 128]);
  for (const dst of [left, right, wide]) b.record('nki.isa.memset', { dst }, { value: 1 });
  kernel({ b, left, right, wide });
  b.record('nki.isa.dma_copy', { dst: b.hbm('out', wide.shape.slice(), 'float32', 'output'), src: wide });
  return compile(b.finish(), { pipeline });
}

const opcodeCount = (c: Compiled, name: string) => [...c.instructions.opcode].filter(o => c.opcodes[o] === name).length;

/** Names of the tensors that copies read, with their columns. */
function copied(c: Compiled): string[] {
  const names: string[] = [];
  for (const [i, opcode] of c.instructions.opcode.entries()) {
    if (c.opcodes[opcode] !== 'COPY') continue;
    const [dst, src] = [c.accesses.pattern[c.instructions.accessStart[i]], c.accesses.pattern[c.instructions.accessStart[i] + 1]];
    names.push(`${c.patterns.name(c.patterns.tensor(src))}:${c.patterns.freeElements(src)} to ${c.patterns.offset(dst)}`);
  }
  return names;
}

/** Roles of the MATMULs' results. */
const written = (c: Compiled) =>
  [...c.instructions.opcode.keys()]
    .filter(i => c.opcodes[c.instructions.opcode[i]] === 'MATMUL')
    .map(i => c.accesses.role[c.instructions.accessStart[i]] === WRITE);

describe('PSUM of rewritten kernels', () => {
  function summed({ b, left, right, wide }: Tiles, { value = 0, readsFirst = false, columns = 512 } = {}) {
    const sum = b.psum('sum', [128, 512]);
    b.record('nki.isa.memset', { dst: sum }, { value });
    if (readsFirst) b.record('nki.isa.activation', { dst: wide, data: sum }, { op: 'exp' });
    for (let k = 0; k < 2; k++)
      for (let at = 0; at < columns; at += 128)
        b.record('nki.isa.nc_matmul', { dst: sum.slice(':', [at, at + 128]), stationary: left, moving: right }, { accumulate: true });
    b.record('nki.isa.tensor_copy', { dst: wide, src: sum });
  }

  it('are not filled with zeros before products are added: the first of each place overwrites', () => {
    const c = built(summed);
    assert.equal(opcodeCount(c, 'MEMSET'), 2);
    assert.deepEqual(written(c), [true, true, true, true, false, false, false, false]);
  });

  it('are filled when the zeros, or other values, count', () => {
    const kept = [{ value: 1 }, { readsFirst: true }, { columns: 256 }].map(how => built(tiles => summed(tiles, how)));
    for (const c of kept) assert.deepEqual([opcodeCount(c, 'MEMSET'), written(c)[0]], [3, false]);
  });

  it('are overwritten by the first product where the kernel runs as written, too: none may add to what a memset wrote', () => {
    assert.deepEqual(written(built(summed, 'literal')).slice(3, 5), [true, false]);
  });

  /** `TILES` transposes, each copied to its columns of `wide`; `between` comes after the second copy. */
  function transposes({ b, left, wide }: Tiles, between: (tile: Tensor) => void = () => {}, order = [0, 1, 2, 3]) {
    for (const [k, at] of order.entries()) {
      const tile = b.psum(`tile${k}`, [128, 128]);
      b.record('nki.isa.nc_transpose', { dst: tile, data: left });
      b.record('nki.isa.tensor_copy', { dst: wide.slice(':', [at * 128, at * 128 + 128]), src: tile });
      if (k === 1) between(tile);
    }
  }

  it('leave by one copy where they are copied side by side', () => {
    assert.deepEqual(copied(built(tiles => transposes(tiles))), ['tile0:512 to 0']);
    assert.equal(copied(built(tiles => transposes(tiles), 'literal')).length, TILES);
  });

  it('leave by copies of their own where the destination is read in between, tiles are read twice, or do not follow each other', () => {
    const used = built(tiles =>
      transposes(tiles, () =>
        tiles.b.record('nki.isa.activation', { dst: tiles.b.sbuf('e', [128, 512]), data: tiles.wide }, { op: 'exp' }),
      ),
    );
    assert.deepEqual(copied(used), ['tile0:256 to 0', 'tile2:256 to 256']);
    const twice = built(tiles =>
      transposes(tiles, tile => tiles.b.record('nki.isa.activation', { dst: tiles.b.sbuf('e', [128, 128]), data: tile }, { op: 'exp' })),
    );
    assert.deepEqual(copied(twice).sort(), ['tile0:128 to 0', 'tile1:128 to 128', 'tile2:256 to 256']);
    assert.deepEqual(copied(built(tiles => transposes(tiles, () => {}, [3, 1, 0, 2]))).length, TILES);
  });

  it('hold no more than a bank that leaves at once', () => {
    const c = built(({ b, left, wide }) => {
      for (let at = 0; at < 512; at += 256) {
        const tile = b.psum(`tile${at}`, [128, 384]);
        for (let part = 0; part < 384; part += 128)
          b.record('nki.isa.nc_transpose', { dst: tile.slice(':', [part, part + 128]), data: left });
        b.record('nki.isa.tensor_copy', { dst: wide.slice(':', [0, 384]), src: tile });
      }
    });
    assert.equal(copied(c).length, 2);
  });

  /** A product copied to SBUF, and who reads the copy. */
  function scores({ b, left, right, wide }: Tiles, read: (scores: Tensor, product: Tensor) => void) {
    const [product, tile] = [b.psum('product', [128, 128]), b.sbuf('scores', [128, 128])];
    b.record('nki.isa.nc_matmul', { dst: product, stationary: left, moving: right }, { accumulate: false });
    b.record('nki.isa.tensor_copy', { dst: tile, src: product });
    b.record('nki.isa.activation', { dst: wide.slice(':', [0, 128]), data: tile }, { op: 'exp' });
    read(tile, product);
  }

  it('are read where they are by VectorE and ScalarE', () => {
    const c = built(tiles => scores(tiles, () => {}));
    assert.deepEqual(copied(c), []);
    const exp = [...c.instructions.opcode].findIndex(o => c.opcodes[o] === 'ACTIVATE');
    assert.equal(c.patterns.name(c.patterns.tensor(c.accesses.pattern[c.instructions.accessStart[exp] + 1])), 'product');
  });

  /** Products side by side in one tile, each read alone; then `also`. */
  function wideScores(products: number, also: (tiles: Tiles, scores: Tensor) => void = () => {}) {
    return built(tiles => {
      const { b, left, right, wide } = tiles;
      const scores = b.sbuf('scores', [128, 512 * products]);
      const at = (k: number) => scores.slice(':', [512 * k, 512 * k + 512]);
      const queries = b.sbuf('queries', [128, 512], 'bfloat16');
      b.record('nki.isa.memset', { dst: queries }, { value: 1 });
      for (let k = 0; k < products; k++) {
        const product = b.psum(`product${k}`, [128, 512]);
        b.record('nki.isa.nc_matmul', { dst: product, stationary: k % 2 ? left : right, moving: queries }, { accumulate: false });
        b.record('nki.isa.tensor_copy', { dst: at(k), src: product });
      }
      for (let k = 0; k < products; k++) b.record('nki.isa.activation', { dst: wide, data: at(k) }, { op: 'exp' });
      also(tiles, scores);
    });
  }

  it('are read where they are by the first alone, where several fill a tile', () => {
    assert.deepEqual(copied(wideScores(1)), []);
    assert.deepEqual(copied(wideScores(2)), ['product1:512 to 512']);
    assert.deepEqual(copied(wideScores(3)), ['product1:512 to 512', 'product2:512 to 1024']);
  });

  it('are copied where a reader needs columns of two', () => {
    const both = wideScores(2, ({ b }, scores) =>
      b.record('nki.isa.activation', { dst: b.sbuf('e', [128, 2]), data: scores.slice(':', [511, 513]) }, { op: 'exp' }),
    );
    assert.equal(copied(both).length, 2);
    const second = wideScores(2, ({ b }, scores) =>
      b.record('nki.isa.nc_transpose', { dst: b.psum('t', [128, 128]), data: scores.slice(':', [512, 640]) }),
    );
    assert.equal(copied(second).length, 1);
  });

  it('are copied for TensorE and DMA, for changes in place, and where the product is overwritten', () => {
    const kept = [
      built(tiles =>
        scores(tiles, tile => tiles.b.record('nki.isa.nc_transpose', { dst: tiles.b.psum('turned', [128, 128]), data: tile })),
      ),
      built(tiles =>
        scores(tiles, tile => tiles.b.record('nki.isa.dma_copy', { dst: tiles.b.hbm('s', [128, 128], 'float32', 'output'), src: tile })),
      ),
      built(tiles => scores(tiles, tile => tiles.b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'exp' }))),
      built(tiles =>
        scores(tiles, (_, dst) =>
          tiles.b.record('nki.isa.nc_matmul', { dst, stationary: tiles.left, moving: tiles.right }, { accumulate: false }),
        ),
      ),
    ];
    for (const c of kept) assert.deepEqual(copied(c), ['product:128 to 0']);
  });
});
