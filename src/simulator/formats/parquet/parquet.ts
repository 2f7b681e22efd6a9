/** `parquet`: a folder of Neuron Explorer's tables, one file each. Tables are made one after the other: only one is in memory. */
import type { Profile } from '../../profile/profile';
import { encodeTable } from './encode';
import { tables } from './tables';

export const PARQUET_EXTENSION = '.parquet';

export function* parquetFiles(p: Profile): Generator<[name: string, bytes: Uint8Array]> {
  for (const table of tables(p)) yield [`${table.name}${PARQUET_EXTENSION}`, encodeTable(table)];
}
