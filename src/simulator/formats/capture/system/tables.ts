/** Reads the tables of a system profile in Neuron Explorer's Parquet: events, samples of CPUs, host memory and HBM, and the profiler's warnings. */
import { FormatError } from '../../../columns/container';
import type { Profile } from '../../../profile/profile';
import { readParquetRows } from '../parquet/table';
import type { SourceText } from '../sources';
import { amount, type FileRow, optionalAmount, optionalNumber, text } from '../values';
import { buildSystemProfile } from './build';
import { SystemEvents, timeOf } from './events';
import { eventOf } from './fields';

/** What uses HBM: `weights_bytes`. */
const USAGE = /^(\w+)_bytes$/;
const PARTS = /^(\w+?)(?:[_.-]\d+)*\.parquet$/;

/** Whether a file of this name makes a folder of tables a system profile. */
export const isSystemTable = (name: string): boolean => PARTS.exec(name)?.[1] === 'SystemProfileEvents';

/** Whether a file of this name has something of a system profile. */
export const isOfSystem = (name: string): boolean => Object.hasOwn(TABLES, PARTS.exec(name)?.[1] ?? '');

/** @param files by file name; others than tables are ignored @throws FormatError naming the file */
export async function readSystemTables(
  files: ReadonlyMap<string, Uint8Array>,
  { name, sourceText }: { name: string; sourceText?: SourceText },
): Promise<Profile> {
  const events = new SystemEvents();
  for (const [file, bytes] of files) {
    const table = PARTS.exec(file)?.[1] ?? '';
    if (!Object.hasOwn(TABLES, table)) continue;
    try {
      for (const row of await readParquetRows(bytes, null)) TABLES[table](events, row);
    } catch (error) {
      throw new FormatError(`${file} is damaged: ${(error as Error).message.split('\n', 1)[0].slice(0, 200)}`);
    }
  }
  return buildSystemProfile(events, name, sourceText);
}

/** The fields of what the schema has no column for yet. */
function extrasOf(row: FileRow): FileRow {
  const given = text(row, 'extra_attributes_json');
  if (given === '' || given.length > 1 << 16) return {};
  try {
    const parsed: unknown = JSON.parse(given);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as FileRow) : {};
  } catch {
    return {};
  }
}

const TABLES: Readonly<Record<string, (events: SystemEvents, row: FileRow) => void>> = {
  SystemProfileEvents(events, row) {
    const startNs = timeOf(row.start_ts, 'start_ts');
    const durationNs = row.duration_ns == null ? Number(timeOf(row.end_ts, 'end_ts') - startNs) : amount(row, 'duration_ns');
    if (durationNs < 0) throw new FormatError('an event ends before it begins');
    const { extra_attributes_json: _, ...own } = row;
    events.add(eventOf({ ...extrasOf(row), ...own }, { startNs, durationNs }));
  },
  CpuUsage(events, row) {
    const share = Math.min(1, Math.max(0, (optionalNumber(row, 'util_percent') ?? 0) / 100));
    events.sample(
      `${text(row, 'instance_id')}/CPU:${text(row, 'cpu_id')}/host_cpu_util`,
      'share',
      timeOf(row.timestamp, 'timestamp'),
      share,
    );
  },
  HostMemUsage(events, row) {
    events.sample(`${text(row, 'instance_id')}/host_mem`, 'bytes', timeOf(row.timestamp, 'timestamp'), optionalAmount(row, 'used_bytes'));
  },
  SystemProfileHbmUsage(events, row) {
    const name = `${text(row, 'instance_id')}/device:${text(row, 'device_idx')}/HBM:${text(row, 'hbm_idx')}`;
    const at = timeOf(row.timestamp, 'timestamp');
    events.sample(name, 'bytes', at, optionalAmount(row, 'total_bytes'));
    for (const field of Object.keys(row)) {
      const category = USAGE.exec(field)?.[1];
      if (!category || category === 'total') continue;
      const bytes = optionalAmount(row, field);
      // most categories are empty all the time
      if (bytes > 0 || events.samples.has(`${name}/${category}`)) events.sample(`${name}/${category}`, 'bytes', at, bytes);
    }
  },
  Warning(events, row) {
    events.warnings.push(text(row, 'message'));
  },
};
