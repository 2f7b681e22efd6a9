/**
 * `perfetto`: a trace for the Perfetto UI, with the names of Neuron's own `.pftrace`: process `Instructions`, threads
 * `Vector Engine - Row 0`, `qSyncIO0 - Row 0`, `DMA Engine 3 - Row 0`, semaphores as instants, counters. Slices are named by
 * opcode or DMA variable (`arguments.ts` has the rest). Times are whole nanoseconds; both ends are rounded, not the length, so that
 * adjacent events stay adjacent.
 */

import { counters, memoryUsage, type NamedSeries } from '../../analyze/counters';
import { isTransfer, transferEvent, transferRow } from '../../analyze/eventAccess';
import { findings } from '../../analyze/findings';
import { semaphoreUpdates } from '../../analyze/semaphoreUpdates';
import { warnings } from '../../analyze/warnings';
import { FirstFit } from '../../columns/firstFit';
import { semaphoreText } from '../../compile/semaphoreText';
import { layOutTracks } from '../../profile/lanes';
import type { Profile } from '../../profile/profile';
import { annotationsIn } from '../annotationsSaid';
import { warningSaid } from '../said';
import { SliceArguments } from './arguments';
import { Flows } from './flows';
import { DEFAULT_GROUPS, type SystemGroups, systemPerfettoChunks } from './systemTrace';
import { TraceWriter } from './writer';

export interface PerfettoOptions {
  /** Arrows from blockers to waiting events. There are many, so they are off by default. */
  flows?: boolean;
  /** Of a system profile; AWS's defaults if absent. */
  groups?: SystemGroups;
}

const PID = 1;

/** The file, in chunks of about half a megabyte. */
export function* perfettoChunks(p: Profile, { flows = false, groups = DEFAULT_GROUPS }: PerfettoOptions = {}): Generator<Uint8Array> {
  if (p.system) {
    yield* systemPerfettoChunks(p, groups, flows);
    return;
  }
  const trace = new Trace(p, flows ? new Flows(p) : null);
  for (const part of [trace.events(), trace.dmaEngines(), trace.semaphores(), trace.counters(), trace.warnings(), trace.annotations()]) {
    for (const _ of part) {
      const chunk = trace.writer.take();
      if (chunk) yield chunk;
    }
  }
  const last = trace.writer.take(true);
  if (last) yield last;
}

/** Its generators yield after every event, so that the caller can take the bytes. */
class Trace {
  readonly writer = new TraceWriter();
  private readonly arguments: SliceArguments;
  private nextUuid = PID + 1;

  constructor(
    private readonly p: Profile,
    private readonly flows: Flows | null,
  ) {
    this.writer.process(PID, PID, 'Instructions');
    this.arguments = new SliceArguments(p, this.writer);
  }

  *events(): Generator<void> {
    for (const { track, lanes } of layOutTracks(this.p)) {
      const { kind, name } = this.p.tracks[track];
      for (const [row, lane] of lanes.entries()) {
        const uuid = this.thread(`${kind === 'engine' ? `${name} Engine` : name} - Row ${row}`);
        for (let k = 0; k < lane.length; k++) {
          this.event(uuid, lane.id(k), lane.startNs(k), lane.endNs(k));
          yield;
        }
      }
    }
  }

  private event(uuid: number, event: number, startNs: number, endNs: number) {
    const { p, writer, flows } = this;
    const transfer = isTransfer(p, event);
    const name = transfer ? this.arguments.variable(transferRow(p, event)) : p.opcodes[p.instructions.opcode[event]];
    const { nameIid, locationIid } = this.arguments.prepare(event, name);
    writer.beginSlice(uuid, Math.round(startNs), nameIid, locationIid);
    if (transfer) this.arguments.transfer(event);
    else this.arguments.instruction(event);
    if (flows) {
      for (const id of flows.out(event)) writer.flow(id, 'out');
      for (const id of flows.into(event)) writer.flow(id, 'in');
    }
    writer.endSlice(uuid, Math.round(endNs));
  }

  /** Busy stretches of each DMA engine; those that overlap in rows of their own. */
  *dmaEngines(): Generator<void> {
    const { p, writer } = this;
    const { startNs, endNs, engine, transfer, bytes } = p.dmaSlices;
    const [size, id] = ['transfer_size', 'packet_aggregation_id'].map(name => writer.annotationName(name));
    const rows = new Map<number, { stack: FirstFit; uuids: number[] }>();
    for (let i = 0; i < startNs.length; i++) {
      const event = transferEvent(p, transfer[i]);
      const { nameIid, locationIid } = this.arguments.prepare(event, this.arguments.variable(transfer[i]));
      let own = rows.get(engine[i]);
      if (!own) {
        own = { stack: new FirstFit(), uuids: [] };
        rows.set(engine[i], own);
      }
      const { stack, uuids } = own;
      const row = stack.take(startNs[i], endNs[i]);
      uuids[row] ??= this.thread(`DMA Engine ${engine[i]} - Row ${row}`);
      writer.beginSlice(uuids[row], Math.round(startNs[i]), nameIid, locationIid);
      writer.number(size, Math.round(bytes[i]));
      writer.number(id, event);
      writer.endSlice(uuids[row], Math.round(endNs[i]));
      yield;
    }
  }

  *semaphores(): Generator<void> {
    const { timeNs, semaphore, value } = semaphoreUpdates(this.p);
    const valueName = this.writer.annotationName('value');
    const tracks = new Map<number, { uuid: number; name: number }>();
    for (let i = 0; i < timeNs.length; i++) {
      let track = tracks.get(semaphore[i]);
      if (!track) {
        const text = semaphoreText(this.p.semaphores[semaphore[i]]);
        track = { uuid: this.child(text), name: this.writer.name(text) };
        tracks.set(semaphore[i], track);
      }
      this.writer.instant(track.uuid, Math.round(timeNs[i]), track.name, valueName, value[i]);
      yield;
    }
  }

  *counters(): Generator<void> {
    for (const { name, kind, timesNs, values } of [...counters(this.p), ...memoryCounters(this.p)]) {
      const uuid = this.child(name, UNITS[kind]);
      for (let i = 0; i < timesNs.length; i++) {
        this.writer.count(uuid, Math.round(timesNs[i]), values[i]);
        yield;
      }
    }
  }

  /** What the viewer warns of, each from where it begins to where it ends; checks at their first event. */
  *warnings(): Generator<void> {
    const { p, writer } = this;
    const message = writer.annotationName('message');
    const slice = (title: string, text: string, startNs: number, endNs: number) => {
      const uuid = this.thread(`Warning: ${title}`);
      writer.beginSlice(uuid, Math.round(startNs), writer.name(title), 0);
      writer.text(message, text);
      writer.endSlice(uuid, Math.round(endNs));
    };
    for (const { severity, message: text, startNs, endNs } of findings(p)) {
      slice(severity, text, startNs, endNs);
      yield;
    }
    for (const warning of warnings(p)) {
      const { startNs, endNs } = warning.spans;
      if (startNs.length > 0) slice(warning.title, warningSaid(warning).message, startNs[0], endNs[endNs.length - 1]);
      yield;
    }
  }

  /** Those whose event the profile has, and those of a time alone; an instant each. */
  *annotations(): Generator<void> {
    const { p, writer } = this;
    const placed = annotationsIn(p);
    if (placed.length === 0) return;
    const track = this.thread('Annotations');
    const note = writer.annotationName('note');
    for (const { annotation, timeNs, event } of placed) {
      const atNs = Math.max(0, Math.round(timeNs));
      const { name } = annotation;
      const { nameIid, locationIid } =
        event === undefined ? { nameIid: writer.name(name), locationIid: 0 } : this.arguments.prepare(event, name);
      writer.beginSlice(track, atNs, nameIid, locationIid);
      if (annotation.note) writer.text(note, annotation.note);
      writer.endSlice(track, atNs);
      yield;
    }
  }

  private thread(name: string): number {
    const uuid = this.nextUuid++;
    this.writer.thread(uuid, { pid: PID, tid: uuid }, name);
    return uuid;
  }

  private child(name: string, unit?: string): number {
    const uuid = this.nextUuid++;
    this.writer.child(uuid, PID, name, unit);
    return uuid;
  }
}

const UNITS: Record<NamedSeries['kind'] | 'bytes', string> = { rate: 'bytes/s', count: 'DMAs', share: 'fraction', bytes: 'bytes' };

function memoryCounters(p: Profile): (Omit<NamedSeries, 'kind'> & { kind: 'bytes' })[] {
  return [
    { name: 'Sb Usage', kind: 'bytes', ...memoryUsage(p, 'sbuf') },
    { name: 'Psum Usage', kind: 'bytes', ...memoryUsage(p, 'psum') },
  ];
}
