/**
 * What a capture says of the compiled program, as small tables of texts for people: its header, its tensors, its cores, its DMA queues. Nothing is
 * computed from them here.
 */
import { MOST_RECORDED_FIELDS, MOST_RECORDED_ROWS } from '../../profile/limits';
import type { RecordedTable } from '../../profile/profile';
import { asText, type FileRow } from './values';

/** Titles as Neuron's viewer has them, by the names in Parquet and JSON. */
const TITLES = {
  NeffHeader: 'NEFF header',
  neff_header: 'NEFF header',
  TensorInfo: 'NEFF nodes',
  neff_node: 'NEFF nodes',
  model_info: 'Model info',
  ExecutionInfo: 'Executions',
  DmaQueuesInfo: 'DMA queues info',
  dma_queues_info: 'DMA queues info',
} as const;

export type ProgramTable = keyof typeof TITLES;

export const isProgramTable = (name: string): name is ProgramTable => Object.hasOwn(TITLES, name);

const MOST_CHARACTERS = 256;

/** Rows as they come. */
export class ProgramTables {
  private readonly rows = new Map<string, { kept: FileRow[]; more: number }>();

  add(table: ProgramTable, row: FileRow): void {
    const title = TITLES[table];
    const known = this.rows.get(title) ?? { kept: [], more: 0 };
    this.rows.set(title, known);
    if (known.kept.length < MOST_RECORDED_ROWS) known.kept.push(row);
    else known.more++;
  }

  /** In the order of the titles. */
  finish(): RecordedTable[] {
    return [...new Set(Object.values(TITLES))].flatMap(name => {
      const { kept = [], more = 0 } = this.rows.get(name) ?? {};
      const used = new Set(kept.flatMap(row => Object.keys(row).filter(field => shown(row[field]) !== '')));
      const fields = [...used].slice(0, MOST_RECORDED_FIELDS);
      return fields.length === 0 ? [] : [{ name, fields, rows: kept.map(row => fields.map(field => shown(row[field]))), more }];
    });
  }
}

function shown(value: unknown): string {
  const text = Array.isArray(value) ? value.map(asText).join(', ') : typeof value === 'boolean' ? String(value) : asText(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
