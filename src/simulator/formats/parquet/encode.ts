/** One table as a Parquet file (Snappy, plain and dictionary pages), through hyparquet-writer. Row groups bound the memory. */
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { type FieldType, TABLES } from './fields';

export type Cell = number | bigint | string | boolean | null;

/** A table's content: a value per field and row. Other fields are not written. */
export interface ParquetTable {
  name: string;
  rows: number;
  columns: Readonly<Record<string, (row: number) => Cell>>;
  /** Texts in the file's footer, by key, for data without a field in the schema. */
  footer?: Readonly<Record<string, string>>;
}

const GROUP_ROWS = 1 << 16;
const PARQUET_TYPES = { int64: 'INT64', int32: 'INT32', float: 'DOUBLE', string: 'STRING', bool: 'BOOLEAN' } as const;

export function encodeTable({ name, rows, columns, footer = {} }: ParquetTable): Uint8Array {
  const fields = Object.entries(TABLES[name].fields).filter(([field]) => field in columns);
  const described = fields.map(([field, { type, required }]) => ({
    name: field,
    type: PARQUET_TYPES[type],
    nullable: !required,
    data: [] as Cell[],
  }));
  const writer = new ByteWriter();
  const kvMetadata = Object.entries(footer).map(([key, value]) => ({ key, value }));
  const schema = schemaFromColumnData({ columnData: described });
  const parquet = new ParquetWriter({ writer, schema, createdBy: 'nki-scope', kvMetadata });
  for (let first = 0; first < rows; first += GROUP_ROWS) {
    const count = Math.min(GROUP_ROWS, rows - first);
    const columnData = fields.map(([field, { type, required }]) => {
      const value = columns[field];
      const gap = required ? 0n : null;
      return { name: field, data: Array.from({ length: count }, (_, k) => cell(type, value(first + k), gap)) };
    });
    parquet.write({ columnData, rowGroupSize: GROUP_ROWS });
  }
  parquet.finish();
  return writer.getBytes();
}

/** Numbers of a recording may be texts, missing, or larger than an int64; `gap` is written instead. */
function cell(type: FieldType, value: Cell, gap: 0n | null): Cell {
  if (value === null || type === 'string' || type === 'bool' || typeof value === 'bigint') return value;
  if (typeof value !== 'number') return gap;
  if (type === 'int64') return Math.abs(value) < 2 ** 63 ? BigInt(Math.round(value)) : gap;
  return type === 'int32' ? Math.round(value) : value;
}
