/**
 * A system profile as a Perfetto trace, grouped as AWS's profilers group theirs: a process per primary group, a thread per secondary group. Events that
 * overlap are in rows of a thread. Debug annotations have the names of AWS's JSON. Counters have a process of their own: what a file has samples of
 * is of an instance or a device, which need not be a group.
 */

import { hostCopies } from '../../analyze/hostCopies';
import { FirstFit } from '../../columns/firstFit';
import { operandListText } from '../../compile/operands/text';
import type { Profile } from '../../profile/profile';
import type { SystemRow } from '../../profile/system';
import { GROUP_FIELDS, type GroupField } from '../../profile/systemRows';
import { remembered } from '../remember';
import { Flows } from './flows';
import { type DebugAnnotation, TraceWriter } from './writer';

export interface SystemGroups {
  primary: readonly GroupField[];
  secondary: readonly GroupField[];
}

/** AWS's defaults. */
export const DEFAULT_GROUPS: SystemGroups = {
  primary: ['instance_id', 'process_id'],
  secondary: ['worker_gid', 'lnc_idx', 'thread_id'],
};

/** The file, in chunks of about half a megabyte. @param flows arrows along the chain of an event: framework, runtime, device */
export function* systemPerfettoChunks(p: Profile, groups: SystemGroups, flows: boolean): Generator<Uint8Array> {
  const writer = new TraceWriter();
  const rows = new GroupRows(writer, groups);
  const arrows = flows ? new Flows(p) : null;
  const annotationsOf = remembered(track => fieldsOf(p.tracks[track].system).map(([name, value]) => encoded(writer, name, value)));
  const attributesOf = remembered(list => attributes(operandListText(p, list)).map(([name, value]) => encoded(writer, name, value)));
  const nameOf = remembered(opcode => writer.name(p.opcodes[opcode]));
  const { startNs, endNs, track, opcode, operands } = p.instructions;
  for (let event = 0; event < startNs.length; event++) {
    const [from, to] = [Math.round(startNs[event]), Math.round(endNs[event])];
    const name = nameOf(opcode[event]);
    const own = [...annotationsOf(track[event]), ...attributesOf(operands[event])];
    const uuid = rows.uuid(p.tracks[track[event]].system, from, to);
    writer.beginSlice(uuid, from, name, 0);
    for (const annotation of own) writer.argument(annotation);
    for (const id of arrows?.out(event) ?? []) writer.flow(id, 'out');
    for (const id of arrows?.into(event) ?? []) writer.flow(id, 'in');
    writer.endSlice(uuid, to);
    const chunk = writer.take();
    if (chunk) yield chunk;
  }
  for (const _ of writtenCounters(p, writer, rows)) {
    const chunk = writer.take();
    if (chunk) yield chunk;
  }
  const last = writer.take(true);
  if (last) yield last;
}

const UNITS = { bytes: 'bytes', share: 'fraction', rate: 'bytes/s' };

/** Those of the timeline: the rates of copies, and what the file has samples of. Yields after each value. */
function* writtenCounters(p: Profile, writer: TraceWriter, rows: GroupRows): Generator<void> {
  const copies = hostCopies(p).map(({ name, series }) => ({ name, unit: UNITS.rate, ...series() }));
  const samples = (p.system?.samples ?? []).map(({ unit, ...series }) => ({ ...series, unit: UNITS[unit] }));
  for (const { name, unit, timesNs, values } of [...copies, ...samples]) {
    const uuid = rows.counter(name, unit);
    for (const [i, timeNs] of timesNs.entries()) {
      writer.count(uuid, Math.round(timeNs), values[i]);
      yield;
    }
  }
}

/** Names of a file's fields by those of ours. */
const FIELD_NAMES: Readonly<Record<keyof SystemRow, string>> = {
  source: 'trace_event_source',
  instanceId: 'instance_id',
  processId: 'process_id',
  threadId: 'thread_id',
  ncIdx: 'lnc_idx',
  coreIdx: 'device_core_idx',
  workerGid: 'worker_gid',
  streamId: 'framework_stream_id',
};

const fieldsOf = (row: SystemRow | undefined): [string, string][] =>
  row
    ? (Object.keys(FIELD_NAMES) as (keyof SystemRow)[]).filter(field => row[field] !== '').map(field => [FIELD_NAMES[field], row[field]])
    : [];

function attributes(text: string): [string, string][] {
  const words = text === '' ? [] : text.split(' ');
  return words.flatMap(word => {
    const at = word.indexOf('=');
    return at > 0 ? [[word.slice(0, at), word.slice(at + 1)] as [string, string]] : [];
  });
}

function encoded(writer: TraceWriter, name: string, value: string): DebugAnnotation {
  writer.annotationName(name);
  return writer.annotation(name, value);
}

/** The tracks of the trace, made when their first event comes. */
class GroupRows {
  private readonly processes = new Map<string, number>();
  private readonly threads = new Map<string, { pid: number; fit: FirstFit; uuids: number[] }>();
  private nextUuid = 1;

  constructor(
    private readonly writer: TraceWriter,
    private readonly groups: SystemGroups,
  ) {}

  uuid(row: SystemRow | undefined, startNs: number, endNs: number): number {
    const [process, thread] = [this.groups.primary, this.groups.secondary].map(fields => groupName(row, fields));
    const key = `${process}\n${thread}`;
    const group = this.threads.get(key) ?? { pid: this.process(process), fit: new FirstFit(), uuids: [] };
    this.threads.set(key, group);
    const place = group.fit.take(startNs, endNs);
    group.uuids[place] ??= this.thread(group.pid, `${thread || 'events'} - Row ${place}`);
    return group.uuids[place];
  }

  counter(name: string, unit: string): number {
    const parent = this.process('Counters');
    const uuid = this.nextUuid++;
    this.writer.child(uuid, parent, name, unit);
    return uuid;
  }

  private process(name: string): number {
    const known = this.processes.get(name);
    if (known !== undefined) return known;
    const uuid = this.nextUuid++;
    this.writer.process(uuid, uuid, name || 'system');
    this.processes.set(name, uuid);
    return uuid;
  }

  private thread(pid: number, name: string): number {
    const uuid = this.nextUuid++;
    this.writer.thread(uuid, { pid, tid: uuid }, name);
    return uuid;
  }
}

/** `instance_id:i-0f2 process_id:701`; fields that a row does not have are left out. */
const groupName = (row: SystemRow | undefined, fields: readonly GroupField[]) =>
  fields.flatMap(field => (row?.[GROUP_FIELDS[field]] ? `${field}:${row[GROUP_FIELDS[field]]}` : [])).join(' ');
