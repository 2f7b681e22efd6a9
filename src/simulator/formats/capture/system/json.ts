/**
 * Reads the system profile that `--output-format json` of AWS's profilers writes (`system_profile.json`): events of the runtime, the device
 * and the framework (`trace_event`, in the documents `trace_events`), and samples of the host's CPUs and memory and of HBM.
 */
import { FormatError } from '../../../columns/container';
import type { Profile } from '../../../profile/profile';
import { type JsonRow, readJsonRows } from '../jsonRows';
import type { SourceText } from '../sources';
import { optionalAmount, optionalNumber, text } from '../values';
import { buildSystemProfile } from './build';
import { SystemEvents, timeOf } from './events';
import { eventOf } from './fields';

/** One of these tables is near the beginning of such a file. */
const FIRST_ROWS = /"(trace_events?|mem_usage|cpu_util|device_mem_usage)"\s*:\s*\[/;

/** Whether JSON with these first bytes is a system profile. */
export const isSystemJson = (head: Uint8Array): boolean => FIRST_ROWS.test(new TextDecoder().decode(head));

/** @throws FormatError that names the error in the file */
export function readSystemJson(chunks: Iterable<Uint8Array>, { name, sourceText }: { name: string; sourceText?: SourceText }): Profile {
  const events = new SystemEvents();
  readJsonRows(chunks, (section, row) => {
    try {
      if (Object.hasOwn(SECTIONS, section)) SECTIONS[section](events, row);
    } catch (error) {
      if (error instanceof FormatError) throw new FormatError(`the JSON profile is damaged: in ${section}, ${error.message}`);
      throw error;
    }
  });
  return buildSystemProfile(events, name, sourceText);
}

const trace = (events: SystemEvents, row: JsonRow) => {
  const unit = text(row, 'timestamp_unit');
  if (unit !== '' && unit !== 'ns') throw new FormatError(`timestamp_unit is ${JSON.stringify(unit.slice(0, 20))}, not "ns"`);
  events.add(eventOf(row, { startNs: timeOf(row.timestamp, 'timestamp'), durationNs: optionalAmount(row, 'duration') }));
};

const percent = (row: JsonRow, field: string) => Math.min(1, Math.max(0, (optionalNumber(row, field) ?? 0) / 100));

const SECTIONS: Readonly<Record<string, (events: SystemEvents, row: JsonRow) => void>> = {
  trace_event: trace,
  trace_events: trace,
  cpu_util(events, row) {
    const name = `${text(row, 'instance_id')}/CPU:${text(row, 'cpu_id')}/host_cpu_util`;
    events.sample(name, 'share', timeOf(row.timestamp, 'timestamp'), percent(row, 'util'));
  },
  mem_usage(events, row) {
    events.sample(`${text(row, 'instance_id')}/host_mem`, 'bytes', timeOf(row.timestamp, 'timestamp'), optionalAmount(row, 'usage'));
  },
  device_mem_usage(events, row) {
    const name = `${text(row, 'instance_id')}/device:${text(row, 'device_idx')}/HBM:${text(row, 'hbm_idx')}`;
    events.sample(name, 'bytes', timeOf(row.timestamp, 'timestamp'), optionalAmount(row, 'total_bytes'));
  },
};
