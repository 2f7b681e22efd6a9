/** Flow arrows between events: from the blocker to the waiting event, and from a DMA's trigger to its transfer. */
import { instructionRows, transferEvent, transferRows } from '../../analyze/eventAccess';
import type { EventId, Profile } from '../../profile/profile';

/** Ids of the arrows that start and end at each event. */
export class Flows {
  private readonly outStart: Uint32Array;
  private readonly outIds: Float64Array;
  private readonly events: number;

  constructor(private readonly p: Profile) {
    this.events = instructionRows(p) + transferRows(p);
    this.outStart = new Uint32Array(this.events + 1);
    this.each(from => this.outStart[from + 1]++);
    for (let k = 0; k < this.events; k++) this.outStart[k + 1] += this.outStart[k];
    this.outIds = new Float64Array(this.outStart[this.events]);
    const next = this.outStart.slice();
    this.each((from, id) => {
      this.outIds[next[from]++] = id;
    });
  }

  out(event: EventId): readonly number[] {
    return Array.from(this.outIds.subarray(this.outStart[event], this.outStart[event + 1]));
  }

  into(event: EventId): readonly number[] {
    const count = instructionRows(this.p);
    const own = event < count ? this.p.instructions.blocker[event] : this.p.transfers.blocker[event - count];
    const trigger = event < count ? -1 : this.p.transfers.trigger[event - count];
    return [...(own >= 0 ? [event + 1] : []), ...(trigger >= 0 ? [this.events + event + 1] : [])];
  }

  /** Every arrow: where it starts, and its id (counted from 1). */
  private each(visit: (from: EventId, id: number) => void) {
    const { instructions, transfers } = this.p;
    for (let i = 0; i < instructions.blocker.length; i++) if (instructions.blocker[i] >= 0) visit(instructions.blocker[i], i + 1);
    for (let t = 0; t < transfers.blocker.length; t++) {
      const event = transferEvent(this.p, t);
      if (transfers.blocker[t] >= 0) visit(transfers.blocker[t], event + 1);
      if (transfers.trigger[t] >= 0) visit(transfers.trigger[t], this.events + event + 1);
    }
  }
}
