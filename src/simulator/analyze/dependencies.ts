/**
 * Whom an event waits for and who waits for it: from the semaphore values that instructions wait for, from DMA triggers, and
 * from the scheduler's own blocker. The type (flow, anti, output) is read off the memory both touch, as their operand
 * lists say; it stays unknown where they do not tell. For what someone looks at, not for drawing.
 */

import { ColumnBuilder } from '../columns/builder';
import { lowerBound } from '../columns/search';
import {
  countsOf,
  DIRECTIONS,
  type EventId,
  elementBytesOf,
  isDestination,
  isSource,
  NO_SEMAPHORE,
  operandsOf,
  type Profile,
  STALL_REASONS,
  stepsOf,
} from '../profile/profile';
import { eventValue, instructionRows, isTransfer, transferEvent, transferRow } from './eventAccess';
import { waitRowText } from './operandText';
import { queueSemaphores } from './semaphoreUpdates';

export type DependencyType = 'flow' | 'anti' | 'output';

export interface Dependency {
  event: EventId;
  /** null: not told by the operands. */
  type: DependencyType | null;
  /** `S[5] (Tensor)>=4`, `trigger`, or what the scheduler waited for. */
  via: string;
  /** From the end of the one to the start of the other. */
  gapNs: number;
  /** The one that decided when the other could start. */
  blocking: boolean;
}

/** Made once per profile: which event brings each semaphore to each value. */
export class Producers {
  private readonly raisedBy: Uint32Array[];

  constructor(private readonly p: Profile) {
    const made = p.semaphores.map(() => new ColumnBuilder(Uint32Array));
    const { signal } = p.instructions;
    for (let i = 0; i < signal.length; i++) if (signal[i] !== NO_SEMAPHORE) made[signal[i]].push(i);
    const ofTrack = queueSemaphores(p);
    const { track } = p.transfers;
    for (let t = 0; t < track.length; t++) if (ofTrack[track[t]] >= 0) made[ofTrack[track[t]]].push(transferEvent(p, t));
    this.raisedBy = made.map(events => events.finish());
  }

  /** -1: the profile does not hold it (a measured capture's semaphores do not begin at 0). */
  of(semaphore: number, value: number): EventId {
    const events = this.raisedBy[semaphore];
    const first = events[0];
    if (!this.p.simulated || first === undefined) return -1;
    const step = isTransfer(this.p, first) ? this.p.machine.dmaEngines : 1;
    return events[Math.ceil(value / step) - 1] ?? -1;
  }
}

export function predecessors(p: Profile, producers: Producers, event: EventId): Dependency[] {
  const found = new Map<EventId, string>();
  if (isTransfer(p, event)) {
    const trigger = p.transfers.trigger[transferRow(p, event)];
    if (trigger >= 0) found.set(trigger, 'trigger');
  } else
    for (let row = lowerBound(p.waits.instruction, event); p.waits.instruction[row] === event; row++) {
      const producer = producers.of(p.waits.semaphore[row], p.waits.value[row]);
      if (producer >= 0 && producer !== event) found.set(producer, waitRowText(p, row));
    }
  const blocker = eventValue(p, event, 'blocker');
  if (blocker >= 0 && !found.has(blocker)) found.set(blocker, `waited: ${STALL_REASONS[eventValue(p, event, 'stall')]}`);
  return [...found].map(([from, via]) => dependency(p, from, event, from, via)).sort(byStart(p));
}

export function successors(p: Profile, producers: Producers, event: EventId): Dependency[] {
  const found = new Map<EventId, string>();
  const { instruction, semaphore, value } = p.waits;
  for (let row = 0; row < instruction.length; row++)
    if (producers.of(semaphore[row], value[row]) === event) found.set(instruction[row], waitRowText(p, row));
  for (let t = 0; t < p.transfers.trigger.length; t++) if (p.transfers.trigger[t] === event) found.set(transferEvent(p, t), 'trigger');
  const blocked = ({ blocker, stall }: Pick<Profile['instructions'], 'blocker' | 'stall'>, first: number) => {
    for (let i = 0; i < blocker.length; i++)
      if (blocker[i] === event && !found.has(first + i)) found.set(first + i, `waited: ${STALL_REASONS[stall[i]]}`);
  };
  blocked(p.instructions, 0);
  blocked(p.transfers, instructionRows(p));
  return [...found].map(([to, via]) => dependency(p, event, to, to, via)).sort(byStart(p));
}

function dependency(p: Profile, from: EventId, to: EventId, event: EventId, via: string): Dependency {
  const blocking = eventValue(p, to, 'blocker') === from;
  const type = via === 'trigger' ? 'flow' : typeOf(p, from, to, blocking);
  return { event, type, via, gapNs: eventValue(p, to, 'startNs') - eventValue(p, from, 'endNs'), blocking };
}

const byStart = (p: Profile) => (a: Dependency, b: Dependency) =>
  eventValue(p, a.event, 'startNs') - eventValue(p, b.event, 'startNs') || a.event - b.event;

function typeOf(p: Profile, from: EventId, to: EventId, blocking: boolean): DependencyType | null {
  const [a, b] = [touched(p, from), touched(p, to)];
  if (overlap(a.writes, b.reads)) return 'flow';
  if (overlap(a.writes, b.writes)) return 'output';
  if (overlap(a.reads, b.writes)) return 'anti';
  const reason = STALL_REASONS[eventValue(p, to, 'stall')];
  return blocking && (reason === 'data' || reason === 'dma') ? 'flow' : null;
}

interface Region {
  from: number;
  to: number;
}

/** On-chip memory an event reads and writes. Of a transfer its trigger's operands tell; their HBM side has no unique address. */
function touched(p: Profile, event: EventId): { reads: Region[]; writes: Region[] } {
  const row = isTransfer(p, event) ? transferRow(p, event) : -1;
  const instruction = row < 0 ? event : p.transfers.trigger[row];
  if (instruction < 0) return { reads: [], writes: [] };
  const list = p.instructions.operands[instruction];
  const elementBytes = elementBytesOf(p, list);
  const accesses = Array.from(operandsOf(p, list), (operand, k) => ({ operand, bytes: Math.max(1, elementBytes[k]) }));
  const [from, to] = row < 0 ? ['', ''] : DIRECTIONS[p.transfers.direction[row]].split('->');
  const regions = (wanted: typeof isSource) =>
    accesses.filter(({ operand }) => wanted(p, operand)).map(({ operand, bytes }) => region(p, operand, bytes));
  return { reads: from === 'hbm' ? [] : regions(isSource), writes: to === 'hbm' ? [] : regions(isDestination) };
}

function region(p: Profile, operand: number, elementBytes: number): Region {
  const [steps, counts] = [stepsOf(p, operand), countsOf(p, operand)];
  const last = steps.reduce((sum, step, i) => sum + Math.abs(step) * (counts[i] - 1), 0);
  const from = p.operands.addressBytes[operand];
  return { from, to: from + (last + 1) * elementBytes };
}

const overlap = (a: readonly Region[], b: readonly Region[]) => a.some(x => b.some(y => x.from < y.to && y.from < x.to));
