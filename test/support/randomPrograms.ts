/** Random but legal programs, seeded: for properties of compiler and scheduler. */
import type { Program } from '../../src/simulator/program/program';
import { ProgramBuilder, type Tensor } from './programs';
import { random } from './syntheticProfile';

const ACTIVATIONS = ['exp', 'tanh', 'square', 'copy'];

/**
 * Tiles of [128, 64..512] in a pool that is read and overwritten at random, with slices, matmuls, DMAs both ways.
 * @param placed the kernel chooses addresses, and tiles lie over each other.
 */
export function randomProgram(seed: number, length = 60, target = 'trn2', placed = false): Program {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  const b = new ProgramBuilder({ kernel: 'random', target });
  const input = b.hbm('input', [512, 512], 'float32', 'input');
  const output = b.hbm('output', [512, 512], 'float32', 'output');
  const tiles: Tensor[] = [];
  const fresh = () => {
    const options = placed ? { addressBytes: Math.floor(next() * 8) * 256 } : {};
    const tile = b.sbuf(`t${tiles.length}`, [128, 256], pick(['float32', 'bfloat16']), options);
    tiles.push(tile);
    return tile;
  };
  const tile = () => (tiles.length === 0 || next() < 0.2 ? fresh() : pick(tiles));
  const half = () =>
    pick<[number, number]>([
      [0, 256],
      [0, 128],
      [128, 256],
    ]);
  for (let k = 0; k < 3; k++) b.record('nki.isa.memset', { dst: fresh() }, { value: k });
  const psum = [b.psum('p0', [128, 256]), b.psum('p1', [128, 256])];
  b.record('nki.isa.memset', { dst: psum[0] }, { value: 0 });
  b.record('nki.isa.memset', { dst: psum[1] }, { value: 0 });
  const steps = [
    () => b.record('nki.isa.dma_copy', { dst: tile(), src: input.slice([128, 256], [0, 256]) }),
    () =>
      b.record(
        'nki.isa.dma_copy',
        { dst: output.slice([0, 128], [0, 256]), src: tile() },
        { engine: pick(['unknown', 'Scalar', 'GpSimd']) },
      ),
    () => b.record('nki.isa.activation', { dst: tile(), data: pick(psum) }, { op: pick(ACTIVATIONS) }),
    () => {
      const columns = half();
      b.record('nki.isa.tensor_scalar', { dst: tile().slice(':', columns), data: tile().slice(':', columns) }, { op0: 'add', operand0: 1 });
    },
    () =>
      b.record('nki.isa.tensor_tensor', { dst: tile(), data1: tile(), data2: tile() }, { op: 'add', engine: pick(['Vector', 'GpSimd']) }),
    () => b.record('nki.isa.nc_matmul', { dst: pick(psum), ...sameDtype(tile()) }, { accumulate: next() < 0.5 }),
    () => b.record('nki.isa.tensor_copy', { dst: tile(), src: pick(psum) }),
  ];
  const sameDtype = (stationary: Tensor) => ({
    stationary: stationary.slice(':', [0, 128]),
    moving: pick(tiles.filter(t => t.dtype === stationary.dtype)),
  });
  b.loop('i', length, () => pick(steps)());
  return b.finish();
}
