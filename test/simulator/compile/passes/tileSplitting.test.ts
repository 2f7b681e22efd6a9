/** Tiles that become a tensor for each part: which, that every value stays, and that the next block's loads do not wait for a whole tile. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import { HBM } from '../../../../src/simulator/compile/patterns';
import { machineFor } from '../../../../src/simulator/hardware/targets';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { elementValues } from '../../../support/elementValues';
import { ProgramBuilder } from '../../../support/programs';
import { compile, inOrder } from '../../../support/stages';

const PARTS = 4;
const COLUMNS = 512;

interface Options {
  readonly dialect?: 'nki' | 'neuronxcc';
  readonly addressBytes?: number;
  readonly rows?: number;
  /** The last instruction of a block reads the whole tile. */
  readonly readsWhole?: boolean;
  /** Columns of each load. */
  readonly loaded?: number;
}

/** Blocks that load a tile, part by part if not told otherwise, and then read it part by part. */
function blocks(count: number, { dialect = 'nki', addressBytes, rows = 128, readsWhole = false, loaded = COLUMNS }: Options = {}) {
  const b = new ProgramBuilder({ target: 'trn2', dialect, literal: true });
  const sum = b.sbuf('sum', [rows, COLUMNS]);
  const wide = b.sbuf('wide', [rows, PARTS * COLUMNS]);
  b.record('nki.isa.memset', { dst: sum }, { value: 0 });
  for (let n = 0; n < count; n++) {
    const tile = b.sbuf('tile', [rows, PARTS * COLUMNS], 'float32', addressBytes === undefined ? {} : { addressBytes });
    const part = (k: number) => tile.slice(':', [k * COLUMNS, (k + 1) * COLUMNS]);
    for (let from = 0; from < PARTS * COLUMNS; from += loaded) {
      const columns = Math.min(loaded, PARTS * COLUMNS - from);
      const dst = tile.slice(':', [from, from + columns]);
      b.record('nki.isa.dma_copy', { dst, src: b.hbm(`x${n}.${from}`, [rows, columns], 'float32', 'input') });
    }
    for (let k = 0; k < PARTS; k++) b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2: part(k) }, { op: 'add' });
    if (readsWhole) b.record('nki.isa.tensor_copy', { dst: wide, src: tile });
  }
  b.record('nki.isa.dma_copy', { dst: b.hbm('y', [rows, COLUMNS], 'float32', 'output'), src: sum });
  if (readsWhole) b.record('nki.isa.dma_copy', { dst: b.hbm('z', [rows, PARTS * COLUMNS], 'float32', 'output'), src: wide });
  return b.finish();
}

/** A block and a half fit. */
const small = withValues(machineFor('trn2'), { sbufBytesPerPartition: 6 * 4 * COLUMNS });
const whole = withValues(neuronPolicy, { passes: neuronPolicy.passes.value.filter(name => name !== 'tile splitting') });

/** Bytes of a partition of each tensor that has the tile's name. */
function tilesOf({ patterns, accesses }: Compiled): number[] {
  const tensors = new Set([...accesses.pattern].map(pattern => patterns.tensor(pattern)));
  const tiles = [...tensors].filter(tensor => patterns.space(tensor) !== HBM && patterns.name(tensor) === 'tile');
  return tiles.map(tensor => patterns.bytesPerPartition(tensor));
}

describe('tile splitting', () => {
  it('makes a tensor of each part that is used by itself', () => {
    assert.deepEqual(tilesOf(compile(blocks(1))), new Array(PARTS).fill(4 * COLUMNS));
    assert.deepEqual(tilesOf(compile(blocks(1), { policy: whole })), [4 * PARTS * COLUMNS]);
  });

  it('leaves tiles whole that are also used as a whole, or that the kernel placed, and those of legacy kernels', () => {
    for (const options of [{ readsWhole: true }, { addressBytes: 65_536 }, { dialect: 'neuronxcc' }] as const)
      assert.deepEqual(tilesOf(compile(blocks(1, options))), [4 * PARTS * COLUMNS], JSON.stringify(options));
    assert.deepEqual(tilesOf(compile(blocks(1), { pipeline: 'rewriting' })), [4 * PARTS * COLUMNS]);
  });

  it('makes a tensor of each part that engines read where DMAs load several and no second tile fits', () => {
    for (const loaded of [2 * COLUMNS, PARTS * COLUMNS]) {
      assert.deepEqual(tilesOf(compile(blocks(1, { loaded }), { machine: small })), new Array(PARTS).fill(4 * COLUMNS), `${loaded}`);
      assert.deepEqual(tilesOf(compile(blocks(1, { loaded }))), new Array((PARTS * COLUMNS) / loaded).fill(4 * loaded), `${loaded}`);
    }
  });

  it('joins parts whose border a DMA crosses, and those that are too short for a DMA of several', () => {
    assert.deepEqual(tilesOf(compile(blocks(1, { loaded: 1.5 * COLUMNS }), { machine: small })), [12 * COLUMNS, 4 * COLUMNS]);
    const policy = withValues(neuronPolicy, { splitRowBytes: 4 * PARTS * COLUMNS });
    assert.deepEqual(tilesOf(compile(blocks(1, { loaded: 2 * COLUMNS }), { machine: small, policy })), [8 * COLUMNS, 8 * COLUMNS]);
  });

  it('leaves a tile whole that is written backwards', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [tile, source] = [b.sbuf('tile', [128, 1024]), b.sbuf('source', [128, 512])];
    b.record('nki.isa.memset', { dst: source }, { value: 1 });
    b.record('nki.isa.tensor_copy', { dst: tile.slice(':', [511, -1, -1]), src: source });
    b.record('nki.isa.tensor_copy', { dst: tile.slice(':', [512, 1024]), src: source });
    for (const from of [0, 512])
      b.record('nki.isa.dma_copy', { dst: b.hbm(`y${from}`, [128, 512], 'float32', 'output'), src: tile.slice(':', [from, from + 512]) });
    assert.deepEqual(tilesOf(compile(b.finish())), [4096]);
  });

  it('changes no value', () => {
    for (const loaded of [COLUMNS, PARTS * COLUMNS]) {
      const program = blocks(3, { rows: 8, loaded });
      assert.deepEqual(elementValues(compile(program, { machine: small })), elementValues(compile(program, { policy: whole })));
    }
  });

  it('lets the loads of a block begin while the last parts of the block before are read, where two blocks do not fit', () => {
    const tookNs = (left: readonly string[], loaded = COLUMNS) => {
      const policy = withValues(inOrder, { passes: inOrder.passes.value.filter(name => !left.includes(name)) });
      return schedule(compile(blocks(8, { loaded }), { machine: small, policy })).bodyEndNs;
    };
    const [split, together] = [tookNs([]), tookNs(['tile splitting'])];
    assert.ok(split < 0.9 * together, `${split} ns with parts, ${together} with whole tiles`);
  });
});
