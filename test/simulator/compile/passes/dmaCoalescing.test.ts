/** Loads and stores of neighbouring rows in the rewriting pipeline: which are one DMA, and that everybody finds his rows. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { DIRECTIONS } from '../../../../src/simulator/compile/directions';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile } from '../../../support/stages';
import { symbols } from '../../../support/symbols';

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

/** KiB of each. */
const moved = ({ transfers }: Compiled, direction: string) =>
  [...transfers.bytes].filter((_, t) => DIRECTIONS[transfers.direction[t]] === direction).map(bytes => bytes / 1024);
const loads = (c: Compiled) => moved(c, 'hbm->sbuf');
const stores = (c: Compiled) => moved(c, 'sbuf->hbm');

describe('loads of neighbouring rows', () => {
  it('come by two of 2 KiB, by eight of 512 bytes, and one by one of 4 KiB, as in the Trn2 profiles', () => {
    assert.deepEqual(loads(built({ columns: 512 })), [512, 512, 512, 512]);
    assert.deepEqual(loads(built({ columns: 128 })), [512]);
    assert.deepEqual(loads(built({ columns: 128, tiles: 4 })), [256]);
    assert.deepEqual(loads(built({ columns: 1024, tiles: 2 })), [512, 512]);
    assert.deepEqual(loads(built({ columns: 512, tiles: 3 })), [512, 256]);
  });

  it('come by one where each piece continues the one before in every partition, as in a profile of joshdelg', () => {
    const column: Loading = (b, x, tile, k) => {
      const [rows, columns] = tile.shape;
      b.record('nki.isa.dma_copy', { dst: tile, src: x.slice([0, rows], [k * columns, (k + 1) * columns]) });
    };
    const merged = built({ tiles: 8, columns: 1 }, column);
    assert.deepEqual(loads(merged), [4]);
    assert.equal(merged.transfers.packets[0], 128);
    const apart: Loading = (b, x, tile, k) => column(b, x, tile, 2 * k);
    assert.deepEqual(loads(built({ tiles: 4, columns: 1 }, apart)), [0.5, 0.5, 0.5, 0.5]);
    assert.equal(loads(built({ tiles: 8, columns: 1 }, column, 'literal')).length, 8);
  });

  it('come by one for the iterations of one loop, and not for those of the loop around it', () => {
    const counted = (nested: boolean) => {
      const b = new ProgramBuilder({ target: 'trn2' });
      const x = b.hbm('x', [512, 512], 'float32', 'input');
      const used = b.sbuf('used', [128, 512]);
      const load = (k: number) => {
        const tile = b.sbuf(`tile${k}`, [128, 512]);
        half(b, x, tile, k);
        b.record('nki.isa.activation', { dst: used, data: tile }, { op: 'exp' });
      };
      if (nested) b.loop('i', 4, i => b.loop('j', 1, () => load(i)));
      else b.loop('i', 4, load);
      b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, 512], 'float32', 'output'), src: used });
      return loads(compile(b.finish(), { pipeline: 'rewriting' })).length;
    };
    assert.deepEqual([counted(false), counted(true)], [2, 4]);
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

interface Stored {
  b: ProgramBuilder;
  out: Tensor;
  tile: Tensor;
  k: number;
}

/** Tiles made one after another and stored to neighbouring rows; `also` comes behind each store. */
function storing(
  how: Partial<Tiles>,
  also: (stored: Stored) => void = () => {},
  pipeline: 'literal' | 'rewriting' = 'rewriting',
): Compiled {
  const { tiles, rows, columns } = { tiles: 8, rows: 128, columns: 512, ...how };
  const b = new ProgramBuilder({ target: 'trn2' });
  const out = b.hbm('out', [rows * tiles, columns], 'float32', 'output');
  for (let k = 0; k < tiles; k++) {
    const tile = b.sbuf(`tile${k}`, [rows, columns]);
    b.record('nki.isa.memset', { dst: tile }, { value: k });
    b.record('nki.isa.dma_copy', { dst: out.slice([k * rows, (k + 1) * rows]), src: tile });
    also({ b, out, tile, k });
  }
  return compile(b.finish(), { pipeline });
}

describe('stores of neighbouring rows', () => {
  it('leave by two of 2 KiB, by eight of 512 bytes, and one by one of 4 KiB, as in the Trn2 profiles', () => {
    assert.deepEqual(stores(storing({ columns: 512 })), [512, 512, 512, 512]);
    assert.deepEqual(stores(storing({ columns: 128 })), [512]);
    assert.deepEqual(stores(storing({ columns: 64, tiles: 4 })), [128]);
    assert.deepEqual(stores(storing({ columns: 1024, tiles: 2 })), [512, 512]);
  });

  it('leave one by one in kernels that run as written, and where the profiles show nothing', () => {
    for (const c of [storing({}, () => {}, 'literal'), storing({ columns: 32 }), storing({ rows: 64 })]) assert.equal(stores(c).length, 8);
  });

  it('leave before their tile is changed, and before their rows are read or written again', () => {
    const eight = (also: (stored: Stored) => void) => assert.ok(stores(storing({}, also)).length >= 8);
    eight(({ b, tile }) => b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'exp' }));
    eight(({ b, out, k }) => {
      const again = b.sbuf(`again${k}`, [128, 512]);
      b.record('nki.isa.dma_copy', { dst: again, src: out.slice([0, 128]) });
      b.record('nki.isa.dma_copy', { dst: b.hbm(`other${k}`, [128, 512], 'float32', 'output'), src: again });
    });
    eight(({ b, out, k }) => {
      const zeros = b.sbuf(`zeros${k}`, [128, 256]);
      b.record('nki.isa.memset', { dst: zeros }, { value: 0 });
      b.record('nki.isa.dma_copy', { dst: out.slice([0, 128], [0, 256]), src: zeros });
    });
  });

  it('to scratch are triggered by ScalarE, loads from it by Sync, as in the Trn2 profiles; by Sync where the kernel runs as written', () => {
    const queues = (pipeline: 'literal' | 'rewriting') => {
      const b = new ProgramBuilder({ target: 'trn2' });
      const [scratch, tile, again] = [b.hbm('scratch', [128, 512]), b.sbuf('tile', [128, 512]), b.sbuf('again', [128, 512])];
      b.record('nki.isa.memset', { dst: tile }, { value: 1 });
      b.record('nki.isa.dma_copy', { dst: scratch, src: tile });
      b.record('nki.isa.dma_copy', { dst: again, src: scratch });
      b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, 512], 'float32', 'output'), src: again });
      const c = compile(b.finish(), { pipeline });
      return [...c.transfers.queue].map(q => c.queues[q].name);
    };
    assert.deepEqual(queues('rewriting'), ['qScalarDynamicHW', 'qSyncDynamicHW', 'qGpSimdDynamic']);
    assert.deepEqual(queues('literal'), ['qSyncDynamicHW', 'qSyncDynamicHW', 'qGpSimdDynamic']);
  });

  it('leave in HBM what they left as written, whatever is loaded and stored in between', () => {
    const step = fc.record({ store: fc.boolean(), row: fc.nat(3), tile: fc.nat(5), right: fc.boolean() });
    let merged = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 24 }), fc.constantFrom(64, 128), (steps, columns) => {
        const program = () => {
          const b = new ProgramBuilder({ target: 'trn2' });
          const out = b.hbm('out', [512, 2 * columns], 'float32', 'output');
          const tiles: Tensor[] = [];
          for (const { store, row, tile, right } of steps) {
            const at = out.slice([row * 128, row * 128 + 128], right ? [columns, 2 * columns] : [0, columns]);
            const old = tiles[tile % Math.max(1, tiles.length)];
            if (store && old) b.record('nki.isa.dma_copy', { dst: at, src: old });
            else {
              const fresh = b.sbuf(`t${tiles.length}`, [128, columns]);
              tiles.push(fresh);
              if (right) b.record('nki.isa.memset', { dst: fresh }, { value: tiles.length });
              else b.record('nki.isa.dma_copy', { dst: fresh, src: at });
            }
          }
          for (const [k, tile] of tiles.entries()) {
            const result = b.sbuf(`e${k}`, [128, columns]);
            b.record('nki.isa.activation', { dst: result, data: tile }, { op: 'exp' });
            b.record('nki.isa.dma_copy', { dst: b.hbm(`y${k}`, [128, columns], 'float32', 'output'), src: result });
          }
          return b.finish();
        };
        const [written, rewritten] = (['literal', 'rewriting'] as const).map(pipeline => compile(program(), { pipeline }));
        assert.deepEqual(symbols(rewritten), symbols(written));
        if (rewritten.transfers.bytes.length < written.transfers.bytes.length) merged++;
      }),
      { numRuns: 150, seed: 5 },
    );
    assert.ok(merged > 20, `only ${merged} programs had moves that were merged`);
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
