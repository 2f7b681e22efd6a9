/**
 * Packets of a Perfetto trace: tracks, slices, instants, counters, interned names. It returns the bytes in chunks, so a trace is never in
 * memory as a whole. `perfetto.ts` decides on the content of tracks.
 */
import { ProtoBuffer } from './protobuf';
import { EVENT_TYPE, EXPLICIT_ORDER, FIELDS, SEQUENCE_FLAGS } from './schema';

const CHUNK_BYTES = 1 << 19;
/** All packets are of one sequence: names are interned once for the whole trace. */
const SEQUENCE = 1;

/** An encoded debug annotation. */
export type DebugAnnotation = Uint8Array;

export class TraceWriter {
  private readonly out = new ProtoBuffer();
  /** For messages that are encoded once and used often. */
  private readonly aside = new ProtoBuffer();
  private readonly names = new Map<string, number>();
  private readonly annotationNames = new Map<string, number>();
  private locations = 0;
  private state: number = SEQUENCE_FLAGS.cleared;
  /** Positions of the open packet and of the event in it. */
  private packet = 0;
  private event = 0;

  /** The bytes so far if they are enough for a chunk (or the last ones), else null. Not allowed between beginSlice and endSlice. */
  take(last = false): Uint8Array | null {
    return this.out.length >= CHUNK_BYTES || (last && this.out.length > 0) ? this.out.take() : null;
  }

  process(uuid: number, pid: number, name: string): void {
    const { trackDescriptor: t, process } = FIELDS;
    this.descriptor(uuid, () => {
      this.out.varint(t.childOrdering, EXPLICIT_ORDER);
      const start = this.out.begin(t.process);
      this.out.varint(process.pid, pid);
      this.out.string(process.name, name);
      this.out.end(start);
    });
  }

  thread(uuid: number, ids: { pid: number; tid: number }, name: string): void {
    const { trackDescriptor: t, thread } = FIELDS;
    this.descriptor(uuid, () => {
      this.out.varint(t.siblingOrderRank, ids.tid);
      const start = this.out.begin(t.thread);
      this.out.varint(thread.pid, ids.pid);
      this.out.varint(thread.tid, ids.tid);
      this.out.string(thread.name, name);
      this.out.end(start);
    });
  }

  /** A named track of a process: a counter with a unit, or for instants. */
  child(uuid: number, parentUuid: number, name: string, unit?: string): void {
    const { trackDescriptor: t, counter } = FIELDS;
    this.descriptor(uuid, () => {
      this.out.string(t.name, name);
      this.out.varint(t.parentUuid, parentUuid);
      if (unit === undefined) return;
      const start = this.out.begin(t.counter);
      this.out.string(counter.unitName, unit);
      this.out.end(start);
    });
  }

  /** Arguments and arrows may follow, then `endSlice`. `locationIid` 0: none. Names must be interned before. */
  beginSlice(track: number, startNs: number, nameIid: number, locationIid: number): void {
    this.beginEvent(startNs, EVENT_TYPE.sliceBegin, track);
    this.out.varint(FIELDS.trackEvent.nameIid, nameIid);
    if (locationIid > 0) this.out.varint(FIELDS.trackEvent.sourceLocationIid, locationIid);
  }

  argument(annotation: DebugAnnotation): void {
    this.out.message(FIELDS.trackEvent.debugAnnotations, annotation);
  }

  number(nameIid: number, value: number): void {
    const { annotation: a, trackEvent: e } = FIELDS;
    const start = this.out.begin(e.debugAnnotations);
    this.out.varint(a.nameIid, nameIid);
    this.out.varint(a.intValue, value);
    this.out.end(start);
  }

  text(nameIid: number, value: string): void {
    const { annotation: a, trackEvent: e } = FIELDS;
    const start = this.out.begin(e.debugAnnotations);
    this.out.varint(a.nameIid, nameIid);
    this.out.string(a.stringValue, value);
    this.out.end(start);
  }

  flow(id: number, direction: 'out' | 'in'): void {
    this.out.fixed64(direction === 'out' ? FIELDS.trackEvent.flowIds : FIELDS.trackEvent.terminatingFlowIds, id);
  }

  endSlice(track: number, endNs: number): void {
    this.endEvent();
    this.beginEvent(endNs, EVENT_TYPE.sliceEnd, track);
    this.endEvent();
  }

  instant(track: number, timeNs: number, nameIid: number, valueNameIid: number, value: number): void {
    this.beginEvent(timeNs, EVENT_TYPE.instant, track);
    this.out.varint(FIELDS.trackEvent.nameIid, nameIid);
    this.number(valueNameIid, value);
    this.endEvent();
  }

  count(track: number, timeNs: number, value: number): void {
    this.beginEvent(timeNs, EVENT_TYPE.counter, track);
    this.out.double(FIELDS.trackEvent.doubleCounterValue, value);
    this.endEvent();
  }

  /** Number of an event's name, written before its first use. */
  name(text: string): number {
    return this.interned(this.names, FIELDS.interned.eventNames, text);
  }

  annotationName(text: string): number {
    return this.interned(this.annotationNames, FIELDS.interned.annotationNames, text);
  }

  /** Returns a new number each time; the caller caches it. */
  sourceLocation(at: { file: string; line: number; function: string }): number {
    const { interned, sourceLocation: s } = FIELDS;
    const iid = ++this.locations;
    this.intern(interned.sourceLocations, () => {
      this.out.varint(s.iid, iid);
      this.out.string(s.file, at.file);
      this.out.string(s.function, at.function);
      this.out.varint(s.line, at.line);
    });
    return iid;
  }

  /** Encoded once, for `argument`. */
  annotation(name: string, value: string): DebugAnnotation {
    const { nameIid, stringValue } = FIELDS.annotation;
    this.aside.varint(nameIid, this.annotationName(name));
    this.aside.string(stringValue, value);
    return this.aside.take();
  }

  private beginEvent(timeNs: number, type: number, track: number) {
    const { packet: p, trackEvent: e } = FIELDS;
    this.beginPacket();
    this.out.varint(p.timestamp, timeNs);
    this.event = this.out.begin(p.trackEvent);
    this.out.varint(e.type, type);
    this.out.varint(e.trackUuid, track);
  }

  private endEvent() {
    this.out.end(this.event);
    this.out.end(this.packet);
  }

  private descriptor(uuid: number, body: () => void) {
    const { packet: p, trackDescriptor: t } = FIELDS;
    this.beginPacket();
    const start = this.out.begin(p.trackDescriptor);
    this.out.varint(t.uuid, uuid);
    body();
    this.out.end(start);
    this.out.end(this.packet);
  }

  private interned(known: Map<string, number>, field: number, text: string): number {
    let iid = known.get(text);
    if (iid === undefined) {
      iid = known.size + 1;
      known.set(text, iid);
      this.internName(field, iid, text);
    }
    return iid;
  }

  private internName(field: number, iid: number, text: string) {
    this.intern(field, () => {
      this.out.varint(FIELDS.internedName.iid, iid);
      this.out.string(FIELDS.internedName.name, text);
    });
  }

  private intern(field: number, body: () => void) {
    this.beginPacket();
    const data = this.out.begin(FIELDS.packet.internedData);
    const start = this.out.begin(field);
    body();
    this.out.end(start);
    this.out.end(data);
    this.out.end(this.packet);
  }

  private beginPacket() {
    const { trace, packet: p } = FIELDS;
    this.packet = this.out.begin(trace.packet);
    this.out.varint(p.sequenceId, SEQUENCE);
    this.out.varint(p.sequenceFlags, this.state);
    this.state = SEQUENCE_FLAGS.needsState;
  }
}
