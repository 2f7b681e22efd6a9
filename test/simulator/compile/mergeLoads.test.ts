/** Loads of neighbouring rows in the rewriting pipeline: which come by one DMA, and that readers find their rows. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compile } from '../../../src/simulator/compile/compile';
import type { Compiled } from '../../../src/simulator/compile/compiled';
import { DIRECTIONS } from '../../../src/simulator/compile/directions';
import { ProgramBuilder, type Tensor } from '../../support/programs';

interface Tiles {
  tiles: number;
  rows: number;
  columns: number;
}

type Loading = (b: ProgramBuilder, x: Tensor, tile: Tensor, k: number) => void;

/** Tile after tile of the tensor's left half. */
const half: Loading = (b, x, tile, k) => {
  const [rows, columns] = tile.shape;
  b.record('nki.isa.dma_copy', { dst: tile, src: x.slice([k * rows, (k + 1) * rows], [0, columns]) });
};

/** Loads tiles of a tensor one after another, each read by `nl.exp`. */
function built(how: Partial<Tiles>, load: Loading = half, pipeline: 'literal' | 'rewriting' = 'rewriting'): Compiled {
  const { tiles, rows, columns } = { tiles: 8, rows: 128, columns: 512, ...how };
  const b = new ProgramBuilder({ target: 'trn2' });
  const x = b.hbm('x', [rows * Math.max(8, tiles), columns * 2], 'float32', 'input');
  const result = b.sbuf('result', [rows, columns]);
  for (let k = 0; k < tiles; k++) {
    const tile = b.sbuf(`tile${k}`, [rows, columns]);
    load(b, x, tile, k);
    b.record('nki.isa.activation', { dst: result, data: tile }, { op: 'exp' });
  }
  b.record('nki.isa.dma_copy', { dst: b.hbm('out', [rows, columns], 'float32', 'output'), src: result });
  return compile(b.finish(), { pipeline });
}

/** KiB of each load. */
const loads = ({ transfers }: Compiled) =>
  [...transfers.bytes].filter((_, t) => DIRECTIONS[transfers.direction[t]] === 'hbm->sbuf').map(bytes => bytes / 1024);

describe('loads of neighbouring rows', () => {
  it('come by two of 2 KiB, by eight of 512 bytes, and one by one of 4 KiB, as in the Trn2 profiles', () => {
    assert.deepEqual(loads(built({ columns: 512 })), [512, 512, 512, 512]);
    assert.deepEqual(loads(built({ columns: 128 })), [512]);
    assert.deepEqual(loads(built({ columns: 128, tiles: 4 })), [256]);
    assert.deepEqual(loads(built({ columns: 1024, tiles: 2 })), [512, 512]);
    assert.deepEqual(loads(built({ columns: 512, tiles: 3 })), [512, 256]);
  });

  it('have a descriptor for each row, and cost software what its packets cost', () => {
    const c = built({ columns: 128 });
    assert.equal(c.transfers.packets[0], 8 * 128);
    const { issueNs, issuePerPacketNs } = c.machine.dma.triggers.software!;
    assert.equal(c.instructions.issueNs[c.transfers.trigger[0]], issueNs.value + 8 * 128 * issuePerPacketNs.value);
    assert.match(c.details[c.instructions.detail[c.transfers.trigger[0]]].after, /elem_size=512\b/);
  });

  it('come one by one in kernels that run as written, and where the profiles show nothing', () => {
    const eight = (c: Compiled) => assert.equal(loads(c).length, 8);
    eight(built({}, half, 'literal'));
    eight(built({ columns: 32 }));
    eight(built({ rows: 64 }));
    eight(
      built({}, (b, x, tile, k) => b.record('nki.isa.dma_copy', { dst: tile, src: x.slice([(7 - k) * 128, (8 - k) * 128], [0, 512]) })),
    );
    // Neighbouring columns, and rows between the tiles.
    eight(
      built({}, (b, x, tile, k) => {
        const [row, column] = [(k >> 1) * 256, (k % 2) * 512];
        b.record('nki.isa.dma_copy', { dst: tile, src: x.slice([row, row + 128], [column, column + 512]) });
      }),
    );
  });

  it('come one by one where the tile is changed or read as another dtype, and where the tensor is written', () => {
    const eight = (load: Loading) => assert.equal(loads(built({}, load)).length, 8);
    eight((b, x, tile, k) => {
      half(b, x, tile, k);
      b.record('nki.isa.tensor_copy', { dst: tile.slice([0, 32]), src: tile.slice([32, 64]) });
    });
    eight((b, x, tile, k) => {
      half(b, x, tile, k);
      const bits = { ...tile.all, dtype: 'int32' };
      b.record('nki.isa.tensor_copy', { dst: b.sbuf(`bits${k}`, [128, 512], 'int32'), src: bits });
    });
    eight((b, x, tile, k) => {
      half(b, x, tile, k);
      b.record('nki.isa.dma_copy', { dst: x.slice([0, 128], [512, 1024]), src: tile });
    });
  });

  it('come one by one where the tiles that wait for the others do not fit', () => {
    const strided: Loading = (b, x, tile, k) => half(b, x, tile, (k % 64) * 8 + Math.floor(k / 64));
    assert.equal(loads(built({ tiles: 512, columns: 128 })).length, 64);
    assert.equal(loads(built({ tiles: 512, columns: 128 }, strided)).length, 512);
  });

  it('leave every reader its rows, in whatever order they are loaded', () => {
    const orders = fc.array(fc.record({ tile: fc.nat(5), half: fc.nat(1) }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(orders, fc.constantFrom(64, 128, 256, 512), (order, columns) => {
        const asked = order.map(({ tile, half }) => tile * 128 * columns * 2 + half * columns);
        const load: Loading = (b, x, tile, k) => {
          const { tile: at, half } = order[k];
          const src = x.slice([at * 128, at * 128 + 128], [half * columns, (half + 1) * columns]);
          b.record('nki.isa.dma_copy', { dst: tile, src });
        };
        const c = built({ tiles: order.length, columns }, load);
        assert.deepEqual(found(c), asked);
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});

/** By reader, in the program's order: offset in HBM of the first element it reads. */
function found({ instructions, accesses, patterns, opcodes, transfers }: Compiled): number[] {
  const brought = new Map<number, number>();
  for (const i of transfers.trigger) {
    const [dst, src] = [accesses.pattern[instructions.accessStart[i]], accesses.pattern[instructions.accessStart[i] + 1]];
    brought.set(patterns.tensor(dst), src);
  }
  const readers = [...instructions.opcode.keys()].filter(i => opcodes[instructions.opcode[i]] === 'ACTIVATE');
  readers.sort((a, b) => instructions.origin[a] - instructions.origin[b]);
  return readers.map(i => {
    const read = accesses.pattern[instructions.accessStart[i] + 1];
    const src = brought.get(patterns.tensor(read))!;
    let column = patterns.offset(read) % patterns.rowElements(read);
    let offset = patterns.offset(src);
    for (let dim = patterns.dims(src) - 1; dim >= 1; dim--) {
      offset += (column % patterns.countOf(src, dim)) * patterns.strideOf(src, dim);
      column = Math.floor(column / patterns.countOf(src, dim));
    }
    return offset;
  });
}
