/**
 * One event as words and numbers, for hover boxes and the details panel. Makes objects: for the few events that someone
 * looks at, never for drawing.
 */

import { rowValue } from '../profile/onDemand';
import { DIRECTIONS, type EventId, type Profile, type RankCollective, STALL_REASONS, type StallReason } from '../profile/profile';
import { collectiveOf } from './collectives';
import { eventValue, isTransfer, transferRow, visibleNs } from './eventAccess';
import { bytesText } from './format';
import { layerOfFrame } from './layers';
import { operandText } from './operandText';
import { callStack, framePosition, iterationText, type Position, type StackEntry, statementReader } from './places';
import { stallText } from './stallText';

export interface EventDescription {
  event: EventId;
  kind: 'instruction' | 'dma';
  /** Text on the bar: an opcode, or `DMA`. */
  opcode: string;
  /** Operand string; for a transfer its direction and tensor. */
  operands: string;
  /** Row it is drawn on. */
  track: string;
  /** Engine that ran it, or that triggered the transfer. */
  engine: string;
  readyNs: number;
  startNs: number;
  endNs: number;
  /** When others could see it was done. */
  visibleNs: number;
  durationNs: number;
  waitNs: number;
  stall: StallReason;
  /** `waited 312 ns for the DMA of line 12`; empty when it did not wait. */
  stallText: string;
  blocker: EventId | null;
  blockerPosition: Position | null;
  position: Position;
  sourceText: string;
  /** Innermost first. */
  stack: StackEntry[];
  /** `i=3, j=1`, or empty. */
  iteration: string;
  /** Path of its layer, or empty. */
  layer: string;
  /** 0 for all but matmuls. */
  flops: number;
  dma: DmaDescription | null;
  /** For an event on the row of a CC core. It is no transfer of this core's DMA engines, so `dma` is null. */
  collective: RankCollective | null;
}

export interface DmaDescription {
  bytes: number;
  bytesPerSecond: number;
  packets: number;
  /** DMA engines that took part. */
  engines: number[];
  variable: string;
  direction: (typeof DIRECTIONS)[number];
  trigger: EventId | null;
}

export function describeEvent(p: Profile, event: EventId): EventDescription {
  const value = (column: Parameters<typeof eventValue>[2]) => eventValue(p, event, column);
  const collective = collectiveOf(p, event) ?? null;
  const dma = isTransfer(p, event) && !collective ? describeTransfer(p, transferRow(p, event)) : null;
  const track = p.tracks[value('track')];
  const frame = value('frame');
  const blocker = orNull(value('blocker'));
  return {
    event,
    kind: isTransfer(p, event) ? 'dma' : 'instruction',
    ...operationOf(p, event, dma, collective),
    track: track.name,
    engine: track.engine,
    readyNs: value('readyNs'),
    startNs: value('startNs'),
    endNs: value('endNs'),
    visibleNs: visibleNs(p, event),
    durationNs: value('endNs') - value('startNs'),
    waitNs: value('startNs') - value('readyNs'),
    stall: STALL_REASONS[value('stall')],
    stallText: stallText(p, event),
    blocker,
    blockerPosition: blocker === null ? null : framePosition(p, eventValue(p, blocker, 'frame')),
    position: framePosition(p, frame),
    sourceText: statementReader(p)(p.frames.file[frame], p.frames.line[frame]),
    stack: callStack(p, frame),
    iteration: iterationText(p, value('iteration')),
    layer: layerOfFrame(p, frame),
    flops: isTransfer(p, event) ? 0 : rowValue(p.instructions, 'flops', event),
    dma,
    collective,
  };
}

function operationOf(
  p: Profile,
  event: EventId,
  dma: DmaDescription | null,
  collective: RankCollective | null,
): Pick<EventDescription, 'opcode' | 'operands'> {
  if (collective) return { opcode: collective.name, operands: `${collective.algorithm}, ${bytesText(collective.bytes)}` };
  if (dma) return { opcode: 'DMA', operands: `${dma.direction} ${dma.variable}` };
  return { opcode: p.opcodes[rowValue(p.instructions, 'opcode', event)], operands: operandText(p, event) };
}

function describeTransfer(p: Profile, row: number): DmaDescription {
  const value = (column: Exclude<keyof Profile['transfers'], symbol>) => rowValue(p.transfers, column, row);
  const durationNs = value('endNs') - value('startNs');
  return {
    bytes: value('bytes'),
    bytesPerSecond: durationNs > 0 ? (value('bytes') / durationNs) * 1e9 : 0,
    packets: value('packets'),
    engines: bits(value('engines')),
    variable: p.strings[value('variable')],
    direction: DIRECTIONS[value('direction')],
    trigger: orNull(value('trigger')),
  };
}

const orNull = (event: number) => (event < 0 ? null : event);

function bits(mask: number): number[] {
  const set: number[] = [];
  for (let k = 0; k < 16; k++) if (mask & (1 << k)) set.push(k);
  return set;
}
