/**
 * Reads a system profile that AWS's profilers wrote as a Perfetto trace (`system_profile.pftrace`): slices with their debug annotations, which have the
 * fields of the JSON. Where a slice has no ids, the names of its process and its thread take their place. Field numbers are those of
 * the published protos. Instants, counters and events of other data sources are not read.
 */
import { FormatError } from '../../../columns/container';
import type { Profile } from '../../../profile/profile';
import { FIELDS } from '../../perfetto/schema';
import type { SourceText } from '../sources';
import { asText, optionalAmount } from '../values';
import { buildSystemProfile } from './build';
import { SystemEvents } from './events';
import { eventOf } from './fields';
import { eachField, type FieldValue, numberIn, textIn } from './protobufFields';

/** Numbers that our writer does not use. */
const READ = {
  packetDefaults: 59,
  defaults: { trackEvent: 11 },
  event: { name: 23, oldFlowIds: 36, oldTerminatingFlowIds: 42 },
  annotation: { boolean: 2, unsigned: 3, double: 5, name: 10, stringIid: 17 },
  interned: { annotationStrings: 29 },
} as const;

const [SLICE_BEGIN, SLICE_END] = [1, 2];
const STATE_CLEARED = 1;
/** Slices inside one another on one track. */
const MOST_NESTED = 1024;

/** Whether a file with these first bytes is a Perfetto trace: a packet, and in it a field that packets have. */
export function looksLikePerfetto(head: Uint8Array): boolean {
  if (head[0] !== ((FIELDS.trace.packet << 3) | 2)) return false;
  let at = 1;
  while (at < head.length && head[at] >= 128) at++;
  const key = head[at + 1];
  return at < 11 && key > 7 && [0, 1, 2, 5].includes(key & 7);
}

/** @throws FormatError that names the error in the file */
export function readSystemPerfetto(file: Uint8Array, { name, sourceText }: { name: string; sourceText?: SourceText }): Profile {
  const reader = new TraceReader();
  eachField(file, (field, value) => {
    if (field === FIELDS.trace.packet) reader.packet(value);
  });
  return buildSystemProfile(reader.finish(), name, sourceText);
}

interface OpenSlice {
  name: string;
  startNs: bigint;
  fields: Record<string, unknown>;
  flows: string[];
}

/** Texts by their numbers. A sequence of packets has its own. */
class Sequence {
  readonly names = new Map<bigint, string>();
  readonly annotationNames = new Map<bigint, string>();
  readonly annotationStrings = new Map<bigint, string>();
  defaultTrack = 0n;

  clear() {
    for (const texts of [this.names, this.annotationNames, this.annotationStrings]) texts.clear();
    this.defaultTrack = 0n;
  }
}

interface TrackName {
  parent: bigint;
  pid: bigint;
  process: string;
  thread: string;
}

class TraceReader {
  private readonly events = new SystemEvents();
  private readonly sequences = new Map<bigint, Sequence>();
  private readonly tracks = new Map<bigint, TrackName>();
  private readonly processes = new Map<bigint, string>();
  private readonly open = new Map<bigint, OpenSlice[]>();
  private lastNs = 0n;

  packet(value: FieldValue): void {
    const { packet } = FIELDS;
    let [timeNs, sequenceId] = [0n, 0n];
    let event: Uint8Array | null = null;
    const state: [field: number, value: FieldValue][] = [];
    eachField(bytesOf(value), (field, inside) => {
      if (field === packet.timestamp) timeNs = numberIn(inside);
      else if (field === packet.sequenceId) sequenceId = numberIn(inside);
      else if (field === packet.trackEvent) event = bytesOf(inside);
      else if (field === packet.trackDescriptor) this.descriptor(bytesOf(inside));
      else if (field === packet.sequenceFlags || field === packet.internedData || field === READ.packetDefaults)
        state.push([field, inside]);
    });
    const sequence = this.sequences.get(sequenceId) ?? new Sequence();
    this.sequences.set(sequenceId, sequence);
    if (state.some(([field, flags]) => field === packet.sequenceFlags && (numberIn(flags) & BigInt(STATE_CLEARED)) !== 0n))
      sequence.clear();
    for (const [field, inside] of state) {
      if (field === packet.internedData) intern(sequence, bytesOf(inside));
      else if (field === READ.packetDefaults) sequence.defaultTrack = defaultTrackIn(bytesOf(inside));
    }
    if (event) this.event(event, timeNs, sequence);
  }

  finish(): SystemEvents {
    for (const [track, slices] of this.open) while (slices.length > 0) this.close(track, slices, this.lastNs);
    return this.events;
  }

  private descriptor(bytes: Uint8Array) {
    const { trackDescriptor: t, process, thread } = FIELDS;
    let uuid = 0n;
    const named: TrackName = { parent: 0n, pid: -1n, process: '', thread: '' };
    eachField(bytes, (field, value) => {
      if (field === t.uuid) uuid = numberIn(value);
      else if (field === t.parentUuid) named.parent = numberIn(value);
      else if (field === t.name) named.thread ||= textIn(value);
      else if (field === t.process)
        eachField(bytesOf(value), (inside, part) => {
          if (inside === process.pid) named.pid = numberIn(part);
          else if (inside === process.name) named.process = textIn(part);
        });
      else if (field === t.thread)
        eachField(bytesOf(value), (inside, part) => {
          if (inside === thread.pid) named.pid = numberIn(part);
          else if (inside === thread.name) named.thread = textIn(part);
        });
    });
    if (named.process !== '') this.processes.set(named.pid, named.process);
    if (named.process === 'Instructions')
      throw new FormatError('this Perfetto trace is of a device profile: open the profile that it was made of');
    this.tracks.set(uuid, named);
  }

  private event(bytes: Uint8Array, timeNs: bigint, sequence: Sequence) {
    const { trackEvent: e } = FIELDS;
    let [type, track, name] = [0, sequence.defaultTrack, ''];
    const fields: Record<string, unknown> = {};
    const flows: string[] = [];
    eachField(bytes, (field, value) => {
      if (field === e.type) type = Number(numberIn(value));
      else if (field === e.trackUuid) track = numberIn(value);
      else if (field === READ.event.name) name = textIn(value);
      else if (field === e.nameIid) name = sequence.names.get(numberIn(value)) ?? '';
      else if (field === e.debugAnnotations) annotate(fields, bytesOf(value), sequence);
      else if (field === e.flowIds || field === e.terminatingFlowIds) flows.push(String(numberIn(value)));
      else if (field === READ.event.oldFlowIds || field === READ.event.oldTerminatingFlowIds) flows.push(String(numberIn(value)));
    });
    if (timeNs > this.lastNs) this.lastNs = timeNs;
    const slices = this.open.get(track) ?? [];
    this.open.set(track, slices);
    if (type === SLICE_BEGIN) {
      if (slices.length >= MOST_NESTED) throw new FormatError('the Perfetto trace is damaged: its slices are nested too deeply');
      slices.push({ name, startNs: timeNs, fields, flows });
    } else if (type === SLICE_END && slices.length > 0) this.close(track, slices, timeNs);
  }

  private close(track: bigint, slices: OpenSlice[], endNs: bigint) {
    const { name, startNs, fields, flows } = slices.pop()!;
    if (endNs < startNs) throw new FormatError('the Perfetto trace is damaged: a slice ends before it begins');
    const { process, thread } = this.namesOf(track);
    const ids = fields.instance_id === undefined && fields.process_id === undefined ? { process_id: process, thread_id: thread } : {};
    const row = { ...fields, ...ids, name, flow_id: [...[fields.flow_id ?? []].flat(), ...flows] };
    this.events.add(eventOf(row, { startNs, durationNs: optionalAmount({ duration: String(endNs - startNs) }, 'duration') }));
  }

  private namesOf(track: bigint): { process: string; thread: string } {
    const own = this.tracks.get(track);
    const process = (own && (this.tracks.get(own.parent)?.process || this.processes.get(own.pid))) || '';
    return { process, thread: own?.thread ?? '' };
  }
}

function bytesOf(value: FieldValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new FormatError('the Perfetto trace is damaged: a message is a number');
}

function intern(sequence: Sequence, bytes: Uint8Array): void {
  const { interned } = FIELDS;
  const into = new Map([
    [interned.eventNames, sequence.names],
    [interned.annotationNames, sequence.annotationNames],
    [READ.interned.annotationStrings, sequence.annotationStrings],
  ] as [number, Map<bigint, string>][]);
  eachField(bytes, (field, value) => {
    const texts = into.get(field);
    if (!texts) return;
    let [iid, text] = [0n, ''];
    eachField(bytesOf(value), (inside, part) => {
      if (inside === FIELDS.internedName.iid) iid = numberIn(part);
      else if (inside === FIELDS.internedName.name) text = textIn(part);
    });
    texts.set(iid, text);
  });
}

function defaultTrackIn(bytes: Uint8Array): bigint {
  let track = 0n;
  eachField(bytes, (field, value) => {
    if (field !== READ.defaults.trackEvent) return;
    eachField(bytesOf(value), (inside, part) => {
      if (inside === FIELDS.trackEvent.trackUuid) track = numberIn(part);
    });
  });
  return track;
}

function annotate(fields: Record<string, unknown>, bytes: Uint8Array, sequence: Sequence): void {
  const { annotation: a } = FIELDS;
  let [name, text] = ['', ''];
  eachField(bytes, (field, value) => {
    if (field === READ.annotation.name) name = textIn(value);
    else if (field === a.nameIid) name = sequence.annotationNames.get(numberIn(value)) ?? '';
    else if (field === a.stringValue) text = textIn(value);
    else if (field === READ.annotation.stringIid) text = sequence.annotationStrings.get(numberIn(value)) ?? '';
    else if (field === a.intValue) text = String(BigInt.asIntN(64, numberIn(value)));
    else if (field === READ.annotation.unsigned || field === READ.annotation.boolean) text = String(numberIn(value));
    else if (field === READ.annotation.double) text = String(doubleIn(bytesOf(value)));
  });
  if (name !== '') fields[name] = asText(text);
}

const doubleIn = (bytes: Uint8Array) =>
  bytes.length === 8 ? new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true) : Number.NaN;
