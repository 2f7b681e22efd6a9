/** Names, source locations and arguments of slices, under Neuron's field names. Repeated values are encoded once. */
import { eventValue, transferRow } from '../../analyze/eventAccess';
import { layerOfFrame } from '../../analyze/layers';
import { operandText } from '../../analyze/operandText';
import { framePosition, hasSource, iterationText } from '../../analyze/places';
import { stallShort } from '../../analyze/stallText';
import { DIRECTIONS, type EventId, type Profile, STALL_REASONS } from '../../profile/profile';
import { programCounters } from '../neuronWords';
import { remembered } from '../remember';
import type { DebugAnnotation, TraceWriter } from './writer';

/** Arguments that are numbers or differ nearly always. */
const OWN = ['timestamp', 'duration', 'evt_wait_time', 'id', 'pc', 'transfer_size', 'operands'] as const;

interface Times {
  readyNs: Float64Array;
  startNs: Float64Array;
  endNs: Float64Array;
}

export class SliceArguments {
  private readonly names: Record<(typeof OWN)[number], number>;
  private readonly pc: Uint32Array;
  private readonly opcode: (index: number) => DebugAnnotation;
  private readonly label: (track: number) => DebugAnnotation;
  private readonly subgroup: (track: number) => DebugAnnotation;
  private readonly queue: (track: number) => DebugAnnotation;
  private readonly direction: (index: number) => DebugAnnotation;
  private readonly stall: (reason: number) => DebugAnnotation;
  private readonly variableName: (string: number) => DebugAnnotation;
  private readonly place: (frame: number) => DebugAnnotation;
  private readonly iteration: (index: number) => DebugAnnotation;
  private readonly layer: (frame: number) => DebugAnnotation;
  private readonly location: (frame: number) => number;
  private readonly nameIids = new Map<string, number>();

  constructor(
    private readonly p: Profile,
    private readonly writer: TraceWriter,
  ) {
    this.names = Object.fromEntries(OWN.map(name => [name, writer.annotationName(name)])) as typeof this.names;
    this.pc = programCounters(p);
    const text = (name: string, value: (index: number) => string) => {
      writer.annotationName(name);
      return remembered(index => writer.annotation(name, value(index)));
    };
    const at = (frame: number) => ({ ...framePosition(p, frame), function: p.strings[p.frames.function[frame]] });
    this.opcode = text('opcode', index => p.opcodes[index]);
    this.label = text('label', track => p.tracks[track].name);
    this.subgroup = text('subgroup', track => p.tracks[track].engine);
    this.queue = text('dma_queue', track => p.tracks[track].name);
    this.direction = text('direction', index => DIRECTIONS[index]);
    this.stall = text('waited_for', reason => stallShort(STALL_REASONS[reason]));
    this.variableName = text('variable', index => p.strings[index] || 'unknown');
    this.place = text('nki_source_location', frame => `${at(frame).file}:${at(frame).line}`);
    this.iteration = text('iteration', index => iterationText(p, index));
    this.layer = text('layer', frame => layerOfFrame(p, frame));
    this.location = remembered(frame => (hasSource(p, frame) ? writer.sourceLocation(at(frame)) : 0));
  }

  /** Interns the strings of the event's slice, in a separate packet before the slice. */
  prepare(event: EventId, name: string): { nameIid: number; locationIid: number } {
    let nameIid = this.nameIids.get(name);
    if (nameIid === undefined) {
      nameIid = this.writer.name(name);
      this.nameIids.set(name, nameIid);
    }
    return { nameIid, locationIid: this.location(eventValue(this.p, event, 'frame')) };
  }

  /** Tensor that a transfer moves. */
  variable(row: number): string {
    return this.p.strings[this.p.transfers.variable[row]] || 'unknown';
  }

  instruction(event: EventId): void {
    const { p, writer } = this;
    const e = p.instructions;
    writer.argument(this.opcode(e.opcode[event]));
    writer.text(this.names.operands, operandText(p, event));
    writer.argument(this.label(e.track[event]));
    writer.argument(this.subgroup(e.track[event]));
    this.shared(event, e, event);
    writer.number(this.names.pc, this.pc[event]);
  }

  transfer(event: EventId): void {
    const { p, writer } = this;
    const t = p.transfers;
    const row = transferRow(p, event);
    writer.argument(this.variableName(t.variable[row]));
    writer.argument(this.direction(t.direction[row]));
    writer.argument(this.queue(t.track[row]));
    this.shared(event, t, row);
    writer.number(this.names.transfer_size, Math.round(t.bytes[row]));
  }

  private shared(event: EventId, { readyNs, startNs, endNs }: Times, row: number) {
    const { p, writer, names } = this;
    const frame = eventValue(p, event, 'frame');
    const iteration = eventValue(p, event, 'iteration');
    const stall = eventValue(p, event, 'stall');
    if (hasSource(p, frame)) writer.argument(this.place(frame));
    if (iteration >= 0) writer.argument(this.iteration(iteration));
    if (layerOfFrame(p, frame) !== '') writer.argument(this.layer(frame));
    if (stall > 0) writer.argument(this.stall(stall));
    const timestamp = Math.round(startNs[row]);
    writer.number(names.timestamp, timestamp);
    writer.number(names.duration, Math.round(endNs[row]) - timestamp);
    writer.number(names.evt_wait_time, Math.max(0, Math.round(startNs[row] - readyNs[row])));
    writer.number(names.id, event);
  }
}
