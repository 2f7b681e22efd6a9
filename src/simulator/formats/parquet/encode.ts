/** One table as a Parquet file (Snappy, plain and dictionary pages), through hyparquet-writer. Row groups bound the memory. */
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { type FieldType, TABLES } from './fields';

export type Cell = number | bigint | string | boolean | null;

/** A table's content: a value per field and row. Fields that are not here are not in the file. */
export interface Table {
  name: string;
  rows: number;
  columns: Readonly<Record<string, (row: number) => Cell>>;
}

const GROUP_ROWS = 1 << 16;
const PARQUET_TYPES = { int64: 'INT64', int32: 'INT32', float: 'DOUBLE', string: 'STRING', bool: 'BOOLEAN' } as const;

export function encodeTable({ name, rows, columns }: Table): Uint8Array {
  const fields = Object.entries(TABLES[name].fields).filter(([field]) => field in columns);
  const described = fields.map(([field, { type, required }]) => ({
    name: field,
    type: PARQUET_TYPES[type],
    nullable: !required,
    data: [] as Cell[],
  }));
  const writer = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: described });
  const parquet = new ParquetWriter({ writer, schema, createdBy: 'nki-scope' });
  for (let first = 0; first < rows; first += GROUP_ROWS) {
    const count = Math.min(GROUP_ROWS, rows - first);
    const columnData = fields.map(([field, { type }]) => {
      const value = columns[field];
      return { name: field, data: Array.from({ length: count }, (_, k) => cell(type, value(first + k))) };
    });
    parquet.write({ columnData, rowGroupSize: GROUP_ROWS });
  }
  parquet.finish();
  return writer.getBytes();
}

function cell(type: FieldType, value: Cell): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (type === 'int64') return typeof value === 'bigint' ? value : BigInt(Math.round(value));
  return type === 'int32' ? Math.round(Number(value)) : Number(value);
}
