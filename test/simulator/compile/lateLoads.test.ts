/** Loads of kernels that run as written: triggered when their data will soon be used. */
import assert from 'node:assert/strict';
import { type Compiled, TRACK_ENGINE } from '../../../src/simulator/compile/compiled';
import { LOAD } from '../../../src/simulator/compile/directions';
import { neuronPolicy } from '../../../src/simulator/compile/neuronPolicy';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { withValues } from '../../../src/simulator/hardware/withValues';
import type { Program } from '../../../src/simulator/program/program';
import { schedule } from '../../../src/simulator/schedule/schedule';
import { ENGINES } from '../../../src/simulator/vocabulary/engines';
import { ProgramBuilder } from '../../support/programs';
import { compile } from '../../support/stages';

const GPSIMD = ENGINES.indexOf('GpSimd');

/** Rows of tiles, as of a norm: all tiles of a row are loaded and read, then each is scaled and stored. */
function rows(count: number, tiles: number, nkiVersion?: string): Program {
  const b = new ProgramBuilder({ target: 'trn2', literal: true, ...(nkiVersion && { nkiVersion }) });
  const [x, out] = [
    b.hbm('x', [count * 128, tiles * 1024], 'float32', 'input'),
    b.hbm('out', [count * 128, tiles * 1024], 'float32', 'output'),
  ];
  for (let row = 0; row < count; row++) {
    const part = (t: number) =>
      [
        [row * 128, (row + 1) * 128],
        [t * 1024, (t + 1) * 1024],
      ] as [[number, number], [number, number]];
    const read = Array.from({ length: tiles }, (_, t) => b.sbuf(`x${row}_${t}`, [128, 1024]));
    const sums = b.sbuf(`sums${row}`, [128, tiles]);
    for (let t = 0; t < tiles; t++) {
      b.record('nki.isa.dma_copy', { dst: read[t], src: x.slice(...part(t)) });
      b.record('nki.isa.tensor_reduce', { dst: sums.slice(':', [t, t + 1]), data: read[t] }, { op: 'add', axis: [1] });
    }
    const total = b.sbuf(`total${row}`, [128, 1]);
    b.record('nki.isa.tensor_reduce', { dst: total, data: sums }, { op: 'add', axis: [1] });
    for (let t = 0; t < tiles; t++) {
      const scaled = b.sbuf(`y${row}_${t}`, [128, 1024]);
      b.record('nki.isa.tensor_scalar', { dst: scaled, data: read[t], operand0: total }, { op0: 'add', engine: 'Vector' });
      b.record('nki.isa.dma_copy', { dst: out.slice(...part(t)), src: scaled });
    }
  }
  return b.finish();
}

const literal = (program: Program, policy = neuronPolicy) => compile(program, { pipeline: 'literal', policy });

/** Most loads that GpSimd triggers before the store that stands first among the rest of the kernel. */
function ahead({ streams, instructions: { transfer, track }, transfers: { direction } }: Compiled): number {
  const triggers = [...streams[GPSIMD]].filter(i => TRACK_ENGINE[track[i]] === GPSIMD && transfer[i] >= 0);
  return triggers.findIndex(i => direction[transfer[i]] !== LOAD);
}

const TILES = 6;

describe('loads that are triggered late', () => {
  it('stand behind the stores of the row before, unless their data are used soon', () => {
    const late = literal(rows(6, TILES));
    const early = literal(rows(6, TILES), withValues(neuronPolicy, { loadLeadNs: 1e9 }));
    assert.ok(ahead(late) >= TILES && ahead(late) < 2 * TILES, `${ahead(late)}`);
    assert.ok(ahead(early) > ahead(late), `${ahead(early)}`);
  });

  /** Loads before a store whose data are there after 10 us. VectorE reads all tiles after 20 us. */
  function beforeStore(tiles: number, columns: number): number {
    const b = new ProgramBuilder({ target: 'trn2', literal: true });
    const [x, out] = [b.hbm('x', [128, tiles * columns], 'float32', 'input'), b.hbm('out', [128, 2048], 'float32', 'output')];
    const busy = Array.from({ length: 9 }, (_, k) => b.sbuf(`busy${k}`, [128, 2048]));
    b.record('nki.isa.memset', { dst: busy[0] }, { value: 0, engine: 'Vector' });
    for (let k = 1; k < busy.length; k++)
      b.record('nki.isa.tensor_tensor', { dst: busy[k], data1: busy[k - 1], data2: busy[k - 1] }, { op: 'add' });
    b.record('nki.isa.dma_copy', { dst: out, src: busy[4] });
    const sum = busy[8].slice(':', [0, 64]);
    for (let t = 0; t < tiles; t++) {
      const tile = b.sbuf(`x${t}`, [128, columns]);
      b.record('nki.isa.dma_copy', { dst: tile, src: x.slice(':', [t * columns, (t + 1) * columns]) });
      b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2: tile.slice(':', [0, 64]) }, { op: 'add' });
    }
    return ahead(literal(b.finish()));
  }

  it('leave GpSimd the time for the triggers of many tiles that are used at once', () => {
    assert.equal(beforeStore(4, 64), 0);
    assert.ok(beforeStore(32, 64) > 8, `${beforeStore(32, 64)}`);
  });

  it('are triggered as long before the use as their transfer takes', () => {
    assert.equal(beforeStore(1, 64), 0);
    assert.equal(beforeStore(1, 8192), 1);
  });

  it('do not wait for fills that stand before their first use', () => {
    const b = new ProgramBuilder({ target: 'trn2', literal: true });
    const filled = Array.from({ length: 5 }, (_, k) => b.sbuf(`filled${k}`, [128, 8192]));
    const store = (k: number) => b.record('nki.isa.dma_copy', { dst: b.hbm(`out${k}`, [128, 8192], 'float32', 'output'), src: filled[k] });
    b.record('nki.isa.memset', { dst: filled[0] }, { value: 0, engine: 'Vector' });
    store(0);
    for (let k = 1; k < filled.length; k++) b.record('nki.isa.memset', { dst: filled[k] }, { value: k, engine: 'Vector' });
    const [x, copy] = [b.sbuf('x', [128, 64]), b.sbuf('copy', [128, 64])];
    b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('input', [128, 64], 'float32', 'input') });
    b.record('nki.isa.tensor_copy', { dst: copy, src: x }, { engine: 'Scalar' });
    b.record('nki.isa.dma_copy', { dst: b.hbm('copied', [128, 64], 'float32', 'output'), src: copy });
    for (let k = 1; k < filled.length; k++) store(k);
    assert.equal(ahead(literal(b.finish())), 1);
  });

  it('are those of NKI after 0.3 only, where the scheduler runs', () => {
    assert.equal(literal(rows(1, 1)).triggersLoads, 'late');
    assert.equal(literal(rows(1, 1, '0.3')).triggersLoads, 'scheduled');
    assert.equal(compile(rows(1, 1), { pipeline: 'backend-off' }).triggersLoads, 'early');
    assert.equal(compile(rows(1, 1), { pipeline: 'literal', waitsForCores: true }).triggersLoads, 'early');
  });

  it('never wait for what is triggered behind them', () => {
    for (const loadLeadNs of [1, 2000, 4000, 50000]) {
      const c = literal(rows(4, 3), withValues(neuronPolicy, { loadLeadNs }));
      assert.ok(Math.max(...schedule(c).instructions.endNs) > 0);
    }
  });

  it('do not come later where weights take longer, which are loaded behind products', () => {
    const BLOCKS = 8;
    const b = new ProgramBuilder({ target: 'trn2', literal: true });
    const [x, out] = [b.hbm('x', [128, BLOCKS * 4096], 'float32', 'input'), b.hbm('out', [128, BLOCKS * 512], 'float32', 'output')];
    const weights = b.sbuf('weights', [128, 1024]);
    b.record('nki.isa.memset', { dst: weights }, { value: 1, engine: 'Vector' });
    for (let block = 0; block < BLOCKS; block++) {
      const moving = b.sbuf(`x${block}`, [128, 4096]);
      b.record('nki.isa.dma_copy', { dst: moving, src: x.slice(':', [4096 * block, 4096 * (block + 1)]) });
      const sum = b.psum(`sum${block}`, [128, 512]);
      for (let k = 0; k < 8; k++) {
        const [stationary, columns] = [weights.slice(':', [128 * k, 128 * (k + 1)]), moving.slice(':', [512 * k, 512 * (k + 1)])];
        b.record('nki.isa.nc_matmul', { dst: sum, stationary, moving: columns }, { accumulate: k > 0 });
      }
      const result = b.sbuf(`result${block}`, [128, 512]);
      b.record('nki.isa.tensor_copy', { dst: result, src: sum }, { engine: 'Vector' });
      b.record('nki.isa.dma_copy', { dst: out.slice(':', [512 * block, 512 * (block + 1)]), src: result });
    }
    const program = b.finish();
    const endNs = (rate: number) => {
      const machine = withValues(machineFor(program.target), { 'tensor.loadRowsPerCycle.fp32': rate });
      return Math.max(...schedule(compile(program, { pipeline: 'literal', machine })).instructions.endNs);
    };
    assert.ok(endNs(0.5) < endNs(1) + 1000, `${endNs(0.5)} ${endNs(1)}`);
  });
});
