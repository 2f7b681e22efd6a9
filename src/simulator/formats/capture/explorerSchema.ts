/**
 * The schema in a folder of Neuron Explorer's tables: its version, and type and unit of each field (the table `SchemaFields`). It
 * converts rows to the units of our schema (`../parquet/fields.ts`), and reports missing fields. `parquetTables.ts` interprets the rows.
 */
import { FormatError } from '../../columns/container';
import { knownField, SCHEMA_VERSION } from '../parquet/fields';
import { FIELDS_NEEDED, FIELDS_READ, type TableName } from './explorerFields';
import { type FileRow, text } from './values';

export type Tables = ReadonlyMap<TableName, FileRow[]>;

/** A unit's size in the first of its line. */
const UNITS: readonly Readonly<Record<string, number>>[] = [
  { nanoseconds: 1, picoseconds: 1e-3, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 },
  { bytes: 1, kilobytes: 1e3, megabytes: 1e6, gigabytes: 1e9, kibibytes: 2 ** 10, mebibytes: 2 ** 20, gibibytes: 2 ** 30 },
  { bytes_per_second: 1, megabytes_per_second: 1e6, gigabytes_per_second: 1e9 },
  { gigahertz: 1, megahertz: 1e-3, kilohertz: 1e-6, hertz: 1e-9 },
];

const NUMERIC = /^(u?int\d*|integer|float\d*|double|number)\b/;

/** Notes about the whole file. */
export interface Adapted {
  tables: Tables;
  notes: { message: string; category: 'info' | 'warning' }[];
}

/**
 * Rows in known units, without unknown fields.
 * @throws FormatError if the instructions lack a required field
 */
export function adapted(given: Tables): Adapted {
  const schema = new FileSchema(given);
  const notes: Adapted['notes'] = [];
  const tables = new Map<TableName, FileRow[]>();
  for (const [table, rows] of given) {
    const kept = schema.inKnownUnits(table, rows);
    const lacking = FIELDS_NEEDED[table]?.find(fields => kept.length > 0 && !fields.some(field => field in kept[0]));
    if (!lacking) tables.set(table, kept);
    else if (table === 'Instruction') throw new FormatError(`${schema.lacks(table, lacking)}: without it nothing can be shown`);
    else notes.push({ message: `${schema.lacks(table, lacking)}: the table is left out.`, category: 'warning' });
  }
  return { tables, notes: [...notes, ...schema.notes(tables)] };
}

class FileSchema {
  /** Empty if the file does not have it. */
  private readonly version: string;
  private readonly fields = new Map<string, { type: string; unit: string }>();

  constructor(tables: Tables) {
    const [metadata] = tables.get('Metadata') ?? [];
    this.version = /^[\w.+-]{1,40}$/.exec(metadata ? text(metadata, 'profile_schema_version') : '')?.[0] ?? '';
    for (const row of tables.get('SchemaFields') ?? [])
      this.fields.set(`${text(row, 'table_name')}.${text(row, 'field_name')}`, {
        type: text(row, 'field_type').toLowerCase(),
        unit: text(row, 'field_unit').toLowerCase().replaceAll(' ', '_'),
      });
  }

  inKnownUnits(table: TableName, rows: FileRow[]): FileRow[] {
    if (rows.length === 0) return rows;
    const changes = Object.keys(rows[0]).flatMap(field => {
      const change = this.changeOf(table, field);
      return change ? [{ field, change }] : [];
    });
    if (changes.length === 0) return rows;
    return rows.map(row => {
      const changed: Record<string, unknown> = { ...row };
      for (const { field, change } of changes) {
        const value = change(row[field]);
        if (value === undefined) delete changed[field];
        else changed[field] = value;
      }
      return changed;
    });
  }

  lacks(table: TableName, fields: readonly string[]): string {
    return `${table}.parquet has no ${fields.join(' and no ')} that can be read${this.version === '' ? '' : ` (schema ${this.version})`}`;
  }

  /** For a file of another major version: the missing fields that would have been read. */
  notes(tables: Tables): Adapted['notes'] {
    if (this.version === '' || major(this.version) === major(SCHEMA_VERSION)) return [];
    const gone = [...tables].flatMap(([table, rows]) =>
      rows.length === 0 ? [] : [...(FIELDS_READ[table] ?? [])].filter(field => !(field in rows[0])).map(field => `${table}.${field}`),
    );
    const lacking = gone.length === 0 ? '' : ` Not in it, or not understood, and so not shown: ${gone.join(', ')}.`;
    const message = `The file follows schema ${this.version} of Neuron Explorer; fields that it shares with ${SCHEMA_VERSION} are read.${lacking}`;
    return [{ message, category: 'info' }];
  }

  /** The conversion of a field's values; undefined: none is needed. */
  private changeOf(table: TableName, field: string): Change | undefined {
    const [said, known] = [this.fields.get(`${table}.${field}`), knownField(table, field)];
    if (!said || !known) return undefined;
    const isNumber = NUMERIC.test(said.type) || said.type === '';
    // ids are only compared, so their type does not matter
    if (!isNumber && NUMERIC.test(known.type) && !/(^|_)id$/.test(field)) return numberOrNone;
    const line = UNITS.find(units => Object.hasOwn(units, known.unit));
    // a share or a count is one by any name
    if (!line || said.unit === known.unit || said.unit === '') return undefined;
    const factor = Object.hasOwn(line, said.unit) ? line[said.unit] / line[known.unit] : null;
    return factor === null ? () => undefined : value => scaled(value, factor);
  }
}

/** undefined: the value is not valid. */
type Change = (value: unknown) => unknown;

const isNumeric = (value: unknown) =>
  typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && value !== '' && Number.isFinite(Number(value)));

const numberOrNone: Change = value => (isNumeric(value) ? value : undefined);

const scaled = (value: unknown, factor: number): unknown => (isNumeric(value) ? Number(value) * factor : value);

const major = (version: string) => version.split('.', 1)[0];
