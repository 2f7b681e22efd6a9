/** Tables of Neuron Explorer, made of rows. */
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';

export type ExplorerRows = Record<string, string | number | bigint | readonly string[] | null>[];

export interface TextLists {
  /** Whether a row may have no list. */
  nullable: boolean;
  /** Whether a list may have nothing for a text. */
  nullableTexts: boolean;
}

const LISTS: TextLists = { nullable: true, nullableTexts: true };

/** A column is of texts, of lists of texts or of whole numbers, as its first row is. Lists are laid out as Arrow does. */
export function explorerTable(rows: ExplorerRows, { nullable, nullableTexts } = LISTS): Uint8Array {
  const columnData = Object.keys(rows[0]).map(name => {
    const [first] = rows.map(row => row[name]);
    const isNumber = typeof first === 'number' || typeof first === 'bigint';
    const data = rows.map(row => (isNumber ? BigInt(row[name] as bigint) : row[name]));
    return { name, data, type: isNumber ? ('INT64' as const) : ('STRING' as const), nullable: false };
  });
  const schema = columnData.flatMap(column => {
    const [, ...own] = schemaFromColumnData({ columnData: [{ ...column, data: [] }] });
    if (!Array.isArray(column.data[0])) return own;
    const type = (isThere: boolean) => (isThere ? ('OPTIONAL' as const) : ('REQUIRED' as const));
    return [
      { name: column.name, num_children: 1, repetition_type: type(nullable), converted_type: 'LIST' as const },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' as const },
      { ...own[0], name: 'element', repetition_type: type(nullableTexts) },
    ];
  });
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: [{ name: 'root', num_children: columnData.length }, ...schema] });
  parquet.write({ columnData });
  parquet.finish();
  return writer.getBytes();
}
