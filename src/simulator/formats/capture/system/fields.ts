/** An event of a system profile from the fields that AWS's JSON, Parquet and Perfetto files have for it. */
import { asText, type FileRow, text } from '../values';
import { type SystemEvent, sourceOf } from './events';

/** Fields that become something else than an attribute. */
const OWN = new Set(
  `name timestamp timestamp_unit duration start_ts end_ts duration_ns trace_event_source group type instance_id process_id thread_id lnc_idx nc_idx
  device_core_idx pcore_idx worker_gid framework_stream_id flow_id exec_id`.split(/\s+/),
);

/** The documents' example gives this type to events of a framework. */
const FRAMEWORK_TYPE = '99999';

export function eventOf(row: FileRow, time: Pick<SystemEvent, 'startNs' | 'durationNs'>): SystemEvent {
  const [name, group] = [text(row, 'name') || 'unknown', text(row, 'group')];
  const said = text(row, 'trace_event_source') || (text(row, 'type') === FRAMEWORK_TYPE ? 'framework' : '');
  const others = Object.entries(row).filter(([field]) => !OWN.has(field));
  return {
    ...time,
    name,
    row: {
      source: sourceOf(said, name, group),
      instanceId: text(row, 'instance_id'),
      processId: text(row, 'process_id'),
      threadId: text(row, 'thread_id'),
      ncIdx: text(row, 'lnc_idx') || text(row, 'nc_idx'),
      coreIdx: text(row, 'device_core_idx') || text(row, 'pcore_idx'),
      workerGid: text(row, 'worker_gid'),
      streamId: text(row, 'framework_stream_id'),
    },
    flows: [row.flow_id].flat().map(asText).filter(Boolean),
    execution: text(row, 'exec_id'),
    attributes: Object.fromEntries([['exec_id', text(row, 'exec_id')], ...others.map(([field, value]) => [field, asText(value)])]),
  };
}
