/**
 * One numbering over instructions and transfers (`EventId`): reads a column of whichever an event is. Returns numbers,
 * makes no objects: fit for hot paths. What an event means in words is `events.ts`.
 */
import { rowCount, rowValue } from '../profile/onDemand';
import type { EventId, Profile } from '../profile/profile';

export const instructionRows = (p: Profile) => rowCount(p.instructions);
export const transferRows = (p: Profile) => rowCount(p.transfers);
export const eventCount = (p: Profile) => instructionRows(p) + transferRows(p);

export const isTransfer = (p: Profile, event: EventId) => event >= instructionRows(p);
/** Row of a transfer's event in `transfers`. */
export const transferRow = (p: Profile, event: EventId) => event - instructionRows(p);
export const transferEvent = (p: Profile, row: number): EventId => instructionRows(p) + row;

type Shared = 'readyNs' | 'startNs' | 'endNs' | 'track' | 'frame' | 'iteration' | 'stall' | 'blocker' | 'origin';

/** A column that instructions and transfers both have. */
export function eventValue(p: Profile, event: EventId, column: Shared): number {
  const rows = instructionRows(p);
  return event < rows ? rowValue(p.instructions, column, event) : rowValue(p.transfers, column, event - rows);
}

/**
 * The same, for those who read most events: reads whole columns, which the page makes again for it if they are compact. Several times as
 * fast as one number at a time.
 */
export function eventColumn(p: Profile, column: Shared): (event: EventId) => number {
  const ofInstructions = p.instructions[column];
  const ofTransfers = p.transfers[column];
  const rows = ofInstructions.length;
  return event => (event < rows ? ofInstructions[event] : ofTransfers[event - rows]);
}

/** When others could see that the event was over: a transfer's semaphore rises some time after its last byte. */
export function visibleNs(p: Profile, event: EventId): number {
  return isTransfer(p, event) ? rowValue(p.transfers, 'doneNs', transferRow(p, event)) : rowValue(p.instructions, 'endNs', event);
}
