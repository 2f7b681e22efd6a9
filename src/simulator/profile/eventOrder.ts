/**
 * The order of the profile's rows: events of one track are in the order in which the track issued them. (Machine code is numbered in
 * program order, but Sync issues out of order.) An event only changes places with events of its own stream or queue.
 */
import type { Compiled } from '../compile/compiled';

export interface EventOrder {
  /** The machine instruction (or transfer) of each profile row. */
  instructions: Uint32Array;
  transfers: Uint32Array;
  /** Event of the profile for an event of the schedule (-1 stays -1). */
  rename(event: number): number;
}

export function eventOrder({ instructions, transfers, streams }: Compiled): EventOrder {
  const count = instructions.track.length;
  const atRow = new Uint32Array(count);
  for (const stream of streams) {
    const rows = stream.slice().sort();
    for (let k = 0; k < stream.length; k++) atRow[rows[k]] = stream[k];
  }
  const transferAtRow = transferOrder(transfers.queue, atRow, instructions.transfer);
  const rowOf = inverse(atRow);
  const transferRowOf = inverse(transferAtRow);
  const rename = (event: number) => (event < 0 ? -1 : event < count ? rowOf[event] : count + transferRowOf[event - count]);
  return { instructions: atRow, transfers: transferAtRow, rename };
}

/** The rows of each queue, in the order in which its transfers are triggered. */
function transferOrder(queue: Uint8Array, atRow: Uint32Array, transferOf: Int32Array): Uint32Array {
  const rows = new Map<number, number[]>();
  for (let t = 0; t < queue.length; t++) {
    const list = rows.get(queue[t]);
    if (list) list.push(t);
    else rows.set(queue[t], [t]);
  }
  const next = new Map<number, number>();
  const result = new Uint32Array(queue.length);
  for (const i of atRow) {
    const t = transferOf[i];
    if (t < 0) continue;
    const k = next.get(queue[t]) ?? 0;
    next.set(queue[t], k + 1);
    result[rows.get(queue[t])![k]] = t;
  }
  return result;
}

function inverse(order: Uint32Array): Uint32Array {
  const result = new Uint32Array(order.length);
  for (let row = 0; row < order.length; row++) result[order[row]] = row;
  return result;
}
