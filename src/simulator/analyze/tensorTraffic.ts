/** DMA traffic of each tensor: bytes read into SBUF, and bytes that were read more than once. */

import { DIRECTIONS, type Profile } from '../profile/profile';
import { dtypes } from '../vocabulary/dtypes';

export interface TensorTraffic {
  name: string;
  /** Written like in Neuron's tensor viewer. */
  type: 'IN' | 'OUT' | 'internal';
  shape: number[];
  dtype: string;
  /** null: internal, or a dtype without a known size. */
  sizeBytes: number | null;
  loadedBytes: number;
  loads: number;
  storedBytes: number;
  stores: number;
  /** loadedBytes / sizeBytes: 1 reads everything once. null without a size. */
  repeatFactor: number | null;
}

/** Most traffic first. */
export function tensorTraffic(p: Profile): TensorTraffic[] {
  const rows = new Map<string, TensorTraffic>();
  const add = (name: string, type: TensorTraffic['type'], shape: number[], dtype: string) => {
    const size = dtypes.find(d => d.name === dtype)?.sizeBytes;
    const sizeBytes = size === undefined ? null : shape.reduce((n, d) => n * d, size);
    rows.set(name, { name, type, shape, dtype, sizeBytes, loadedBytes: 0, loads: 0, storedBytes: 0, stores: 0, repeatFactor: null });
  };
  for (const { name, shape, dtype } of p.inputs) add(name, 'IN', shape, dtype);
  for (const { name, shape, dtype } of p.outputs) if (!rows.has(name)) add(name, 'OUT', shape, dtype);
  const { variable, direction, bytes } = p.transfers;
  for (let t = 0; t < bytes.length; t++) {
    const name = p.strings[variable[t]];
    if (!rows.has(name)) add(name, 'internal', [], '');
    const row = rows.get(name)!;
    const way = DIRECTIONS[direction[t]];
    if (way.startsWith('hbm->')) {
      row.loads++;
      row.loadedBytes += bytes[t];
    } else if (way.endsWith('->hbm')) {
      row.stores++;
      row.storedBytes += bytes[t];
    }
  }
  for (const row of rows.values()) if (row.sizeBytes) row.repeatFactor = row.loadedBytes / row.sizeBytes;
  return [...rows.values()].sort((a, b) => b.loadedBytes + b.storedBytes - a.loadedBytes - a.storedBytes);
}
