/** The table of a sweep as a Parquet file: a column of numbers, of truth values or of text for each parameter and each result. */
import { parquetWriteBuffer } from 'hyparquet-writer';
import { tableColumns, type VariantRow } from './table';
import type { ParameterValue } from './values';

export function sweepParquet(rows: readonly VariantRow[]): Uint8Array {
  const columnData = tableColumns(rows).map(({ name, values }) => ({ name, ...typed(values), nullable: true }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

/** Values of several types become texts. */
function typed(values: readonly ParameterValue[]): { type: 'DOUBLE' | 'BOOLEAN' | 'STRING'; data: ParameterValue[] } {
  const types = new Set(values.filter(value => value !== null).map(value => typeof value));
  const [only] = types.size === 1 ? types : ['string'];
  if (only === 'number') return { type: 'DOUBLE', data: [...values] };
  if (only === 'boolean') return { type: 'BOOLEAN', data: [...values] };
  return { type: 'STRING', data: values.map(value => (value === null ? null : String(value))) };
}
