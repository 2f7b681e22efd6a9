/** A made-up profile with ten instructions per transfer, which is about what tiled kernels have. */
import { gathered } from '../../src/simulator/columns/rows';
import type { Profile } from '../../src/simulator/profile/profile';
import { syntheticProfile } from '../../test/support/syntheticProfile';

export function exportProfile(instructions: number): Profile {
  const p = syntheticProfile(instructions);
  const transfers = Math.floor(instructions / 10);
  const kept = Uint32Array.from(p.dmaSlices.transfer.keys()).filter(row => p.dmaSlices.transfer[row] < transfers);
  const shortened = Object.entries(p.transfers).map(([name, column]) => [name, column.slice(0, transfers)]);
  const slices = Object.entries(p.dmaSlices).map(([name, column]) => [name, gathered(column, kept)]);
  return { ...p, transfers: Object.fromEntries(shortened), dmaSlices: Object.fromEntries(slices) };
}
