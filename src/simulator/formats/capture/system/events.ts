/**
 * Events of a system profile as its readers collect them: columns, not objects, because a file can have millions. Unix times in ns have more digits
 * than float64 keeps, so times are counted from the first event's.
 */
import { FormatError } from '../../../columns/container';
import { MOST_TRACKS } from '../../../profile/limits';
import { EVENT_SOURCES, type EventSource, type SystemRow, type SystemSamples } from '../../../profile/system';
import { shown } from '../values';

/** One event as a reader gives it. */
export interface SystemEvent {
  name: string;
  startNs: bigint;
  durationNs: number;
  row: SystemRow;
  /** Ids that it shares with the events before and after it in a chain. */
  flows: readonly string[];
  /** The number of the execution that it belongs to; empty: the file has none. */
  execution: string;
  /** Everything else that the file has of it. */
  attributes: Readonly<Record<string, string>>;
}

/** 104 days. */
const MOST_NS = 2n ** 53n;

export class SystemEvents {
  readonly rows: SystemRow[] = [];
  readonly names: string[] = [];
  readonly texts: string[] = [];
  readonly startNs: number[] = [];
  readonly durationNs: number[] = [];
  readonly row: number[] = [];
  readonly name: number[] = [];
  readonly text: number[] = [];
  /** Events by flow id, and by execution. */
  readonly flows = new Map<string, number[]>();
  readonly executions = new Map<string, number[]>();
  readonly samples = new Map<string, SystemSamples>();
  /** What the profiler says of missing or unexpected data. */
  readonly warnings: string[] = [];
  /** Of time 0. */
  private baseNs: bigint | null = null;
  private readonly rowIndex = new Map<string, number>();
  private readonly nameIndex = new Map<string, number>();
  private readonly textIndex = new Map<string, number>();

  get count(): number {
    return this.startNs.length;
  }

  /** @throws FormatError for times that are too far apart, and for too many rows */
  add({ name, startNs, durationNs, row, flows, execution, attributes }: SystemEvent): void {
    const event = this.startNs.push(this.fromBase(startNs)) - 1;
    this.durationNs.push(durationNs);
    this.row.push(this.rowOf(row));
    this.name.push(interned(this.nameIndex, this.names, name));
    this.text.push(interned(this.textIndex, this.texts, wordsOf(attributes)));
    for (const flow of flows) listed(this.flows, flow).push(event);
    if (execution !== '') listed(this.executions, `${row.instanceId}\n${row.processId}\n${execution}`).push(event);
  }

  sample(name: string, unit: SystemSamples['unit'], atNs: bigint, value: number): void {
    const series = this.samples.get(name) ?? { name, unit, timesNs: [], values: [] };
    this.samples.set(name, series);
    series.timesNs.push(this.fromBase(atNs));
    series.values.push(value);
  }

  /** The Unix time of `timeNs` on the collected clock; empty if the file's times are none. */
  unixNs(timeNs: number): string {
    const unixNs = (this.baseNs ?? 0n) + BigInt(timeNs);
    return unixNs > MOST_NS ? String(unixNs) : '';
  }

  private fromBase(timeNs: bigint): number {
    this.baseNs ??= timeNs;
    const offset = timeNs - this.baseNs;
    if (offset > MOST_NS || offset < -MOST_NS) throw new FormatError('the times of the system profile are more than 104 days apart');
    return Number(offset);
  }

  private rowOf(row: SystemRow): number {
    const key = Object.values(row).join('\n');
    const known = this.rowIndex.get(key);
    if (known !== undefined) return known;
    if (this.rows.length >= MOST_TRACKS)
      throw new FormatError(`the system profile has events of more than ${MOST_TRACKS} threads and cores: filter it when it is exported`);
    this.rowIndex.set(key, this.rows.length);
    return this.rows.push(row) - 1;
  }
}

/** Documented as the events that a device records. */
const HARDWARE = new Set(
  'nc_exec_running cc_running cc_exec_barrier numerical_err nrt_model_switch nc_model_switch timestamp_sync_point hw_notify'.split(' '),
);

/** The source by what the file says of it, else by the event's name and group. */
export function sourceOf(said: string, name: string, group: string): EventSource {
  const known = EVENT_SOURCES.find(source => source === said);
  if (known) return known;
  if (HARDWARE.has(name)) return 'neuron_hw';
  return group.startsWith('framework') ? 'framework' : 'neuron_rt';
}

/** A whole number of nanoseconds, of any size. @throws FormatError */
export function timeOf(value: unknown, field: string): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,30}$/.test(value)) return BigInt(value);
  throw new FormatError(`${field} is ${shown(value)}, not a time in whole nanoseconds`);
}

/** Longer values are no ids or names. */
const MOST_CHARACTERS = 200;

/** `model_id=12 size=4`: words, so that a search finds each. */
const wordsOf = (attributes: SystemEvent['attributes']) =>
  Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value.slice(0, MOST_CHARACTERS).replace(/\s+/g, '_')}`)
    .join(' ');

function interned(index: Map<string, number>, list: string[], text: string): number {
  const known = index.get(text);
  if (known !== undefined) return known;
  index.set(text, list.length);
  return list.push(text) - 1;
}

function listed(lists: Map<string, number[]>, key: string): number[] {
  const known = lists.get(key) ?? [];
  lists.set(key, known);
  return known;
}
