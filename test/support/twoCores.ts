/** Programs for two cores that wait for each other, and the profile of a run of them. */
import type { Profile } from '../../src/simulator/profile/profile';
import { simulateCores } from '../../src/simulator/simulate';
import { ProgramBuilder } from './programs';

/** A half of a shared tensor is written after so many additions; then the cores meet, and the other half is read. Programs of one recording have the same frames. */
export function core(additions: number, half = 0) {
  const halves: [number, number][] = [
    [0, 128],
    [128, 256],
  ];
  const b = new ProgramBuilder();
  const shared = b.hbm('shared', [256, 512]);
  const tile = b.sbuf('tile', [128, 512]);
  b.record('nki.isa.memset', { dst: tile }, { value: 1 }, { line: 3 });
  for (let k = 0; k < additions; k++)
    b.record('nki.isa.tensor_tensor', { dst: tile, data1: tile, data2: tile }, { op: 'add' }, { line: 5 });
  b.record('nki.isa.dma_copy', { dst: shared.slice(halves[half]), src: tile }, {}, { line: 6 });
  const coreBarriers = b.record('nki.isa.core_barrier', { data: shared }, { cores: [0, 1] }, { line: 7 });
  b.record('nki.isa.dma_copy', { dst: tile, src: shared.slice(halves[1 - half]) }, {}, { line: 8 });
  return { program: b.finish(), coreBarriers: [coreBarriers] };
}

/** The second core has more to do. */
export function runOnTwoCores(): Profile {
  const cores = [core(1), core(6, 1)];
  return simulateCores(
    cores.map(({ program }) => program),
    { verified: null, coreBarriers: cores.map(({ coreBarriers }) => coreBarriers), places: [[[0, 4], [20, 1]], [[4, 9], [21, 1]]] }, // biome-ignore format: as recorded
  );
}
