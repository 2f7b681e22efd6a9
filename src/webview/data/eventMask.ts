/** A set of events that the view marks: membership, and exact counts in a run of a lane's rows. One bit table and a prefix sum per lane. */
import type { Lane, TrackLanes } from '../../simulator/profile/lanes';

export class EventMask {
  private readonly member: Uint8Array;
  private readonly before = new Map<Lane, Uint32Array>();

  constructor(events: number, ids: Uint32Array, tracks: readonly TrackLanes[]) {
    this.member = new Uint8Array(events);
    for (const id of ids) this.member[id] = 1;
    for (const { lanes } of tracks) for (const lane of lanes) this.before.set(lane, this.prefix(lane));
  }

  has(id: number): boolean {
    return this.member[id] === 1;
  }

  /** Members among rows [from, from + count) of the lane. */
  countIn(lane: Lane, from: number, count: number): number {
    const before = this.before.get(lane);
    return before ? before[from + count] - before[from] : 0;
  }

  private prefix(lane: Lane): Uint32Array {
    const before = new Uint32Array(lane.length + 1);
    for (let i = 0; i < lane.length; i++) before[i + 1] = before[i] + this.member[lane.id(i)];
    return before;
  }
}
