/** Random programs with tiles of few partitions, seeded, and their compilation so that tiles share bytes in different partitions. */
import type { Compiled } from '../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../src/simulator/compile/neuronPolicy';
import { machineFor } from '../../src/simulator/hardware/targets';
import { withValues } from '../../src/simulator/hardware/withValues';
import { CapacityError } from '../../src/simulator/program/error';
import type { Program } from '../../src/simulator/program/program';
import { ProgramBuilder, type Tensor } from './programs';
import { compile } from './stages';
import { random } from './syntheticProfile';

const COLUMNS = 64;
const HALVES: readonly [number, number][] = [
  [0, 64],
  [64, 128],
];

/** Sums of tiles of 32 or 64 partitions, copies between them and halves of tiles of 128, DMAs both ways. A tile is used for a while. */
export function randomParts(seed: number, length = 30): Program {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  const b = new ProgramBuilder({ kernel: 'parts' });
  const input = b.hbm('input', [128, COLUMNS], 'float32', 'input');
  const output = b.hbm('output', [128, COLUMNS], 'float32', 'output');
  const tiles: Record<number, Tensor[]> = { 32: [], 64: [], 128: [] };
  const engine = () => ({ engine: pick(['Vector', 'GpSimd']) });
  const fresh = (rows: number) => {
    const tile = b.sbuf(`t${rows}.${tiles[rows].length}`, [rows, COLUMNS]);
    tiles[rows].push(tile);
    return tile;
  };
  const loaded = (rows: number) => {
    const dst = fresh(rows);
    b.record('nki.isa.dma_copy', { dst, src: input.slice([0, rows], ':') });
    return dst;
  };
  const recent = (rows: number) => pick(tiles[rows].slice(-3));
  for (const rows of [32, 64, 128]) for (let k = 0; k < 2; k++) loaded(rows);
  const steps = [
    () => loaded(pick([32, 64, 128])),
    () => {
      const rows = pick([32, 64]);
      const [data1, data2] = [recent(rows), recent(rows)];
      b.record('nki.isa.tensor_tensor', { dst: fresh(rows), data1, data2 }, { op: 'add', ...engine() });
    },
    () => b.record('nki.isa.tensor_copy', { dst: fresh(64), src: recent(128).slice(pick(HALVES), ':') }, engine()),
    () => {
      // A new tile of all partitions, half by half.
      const sources = HALVES.map(() => recent(64));
      const dst = next() < 0.5 ? fresh(128) : recent(128);
      for (const [k, rows] of HALVES.entries()) b.record('nki.isa.tensor_copy', { dst: dst.slice(rows, ':'), src: sources[k] }, engine());
    },
    () => {
      const rows = pick([32, 64, 128]);
      b.record('nki.isa.dma_copy', { dst: output.slice([0, rows], ':'), src: recent(rows) });
    },
  ];
  b.loop('i', length, () => pick(steps)());
  return b.finish();
}

const UNSPILLED = withValues(neuronPolicy, { lastStrategies: [], spilledShares: [] });

/** In as little of SBUF as it fits, so that tiles lie wherever they may. @throws Error if it fits in none */
export const compileByPartition = (program: Program): Compiled =>
  compileInLeastSpace(program, withValues(UNSPILLED, { strategies: ['byPartition'] }));

/** The same with the usual places. @throws Error if it fits in none */
export function compileInLeastSpace(program: Program, policy = UNSPILLED): Compiled {
  for (let tiles = 4; tiles < 100; tiles++)
    try {
      return compile(program, { policy, machine: withValues(machineFor('trn2'), { sbufBytesPerPartition: tiles * COLUMNS * 4 }) });
    } catch (error) {
      if (!(error instanceof CapacityError)) throw error;
    }
  throw new Error('the program needs more than any memory');
}
