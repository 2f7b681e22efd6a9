/**
 * Which events of a core surely happen before or after its waits for the other cores. This follows from the issue order of engines,
 * triggers of transfers, and dependences. Waits are numbered in the core's order. The k-th waits of all cores are the same moment.
 */
import type { Compiled } from '../compiled';

/** No such wait. */
export const NEVER = 2 ** 31 - 1;

export class CoreOrder {
  /** By instruction: the last wait that has ended when it starts, -1: none. */
  private readonly before: Int32Array;
  /** By event, instructions first: the first wait by which it has ended, or NEVER. */
  private readonly after: Int32Array;

  /** @param waits instructions that wait for the other cores */
  constructor(
    private readonly code: Pick<Compiled, 'instructions' | 'transfers' | 'dependencies' | 'streams'>,
    private readonly waits: readonly number[],
  ) {
    const events = code.instructions.track.length + code.transfers.queue.length;
    this.before = new Int32Array(code.instructions.track.length).fill(-1);
    this.after = new Int32Array(events).fill(NEVER);
    if (waits.length === 0) return;
    // Streams depend on one another: repeat until nothing changes, which takes one or two passes.
    while (this.passForwards());
    while (this.passBackwards());
  }

  /** The last wait that is over when the instruction, or the transfer that it triggers, starts; -1: none. */
  lastBefore(instruction: number): number {
    return this.before[instruction];
  }

  /** The first wait by which the instruction, or the transfer that it triggers, has ended; NEVER: none. */
  firstAfter(instruction: number): number {
    return this.after[this.done(instruction)];
  }

  /** The event that completes an instruction: its transfer, if it has one. */
  private done(instruction: number): number {
    const moved = this.code.instructions.transfer[instruction];
    return moved < 0 ? instruction : this.code.instructions.track.length + moved;
  }

  private instructionOf(event: number): number {
    const count = this.code.instructions.track.length;
    return event < count ? event : this.code.transfers.trigger[event - count];
  }

  /** @returns something has changed. */
  private passForwards(): boolean {
    const { before, waits } = this;
    const { start, event } = this.code.dependencies;
    const numberOf = new Map(waits.map((instruction, k) => [instruction, k]));
    let changed = false;
    for (const stream of this.code.streams) {
      let over = -1;
      for (const i of stream) {
        for (let d = start[i]; d < start[i + 1]; d++) over = Math.max(over, before[this.instructionOf(event[d])]);
        over = Math.max(over, numberOf.get(i) ?? -1);
        if (over > before[i]) {
          before[i] = over;
          changed = true;
        }
        over = before[i];
      }
    }
    return changed;
  }

  /** @returns something has changed. */
  private passBackwards(): boolean {
    const { after, waits } = this;
    const { start, event } = this.code.dependencies;
    const { track } = this.code.instructions;
    const numberOf = new Map(waits.map((instruction, k) => [instruction, k]));
    let changed = false;
    const lower = (ended: number, by: number) => {
      if (by >= after[ended]) return;
      after[ended] = by;
      changed = true;
    };
    for (const stream of this.code.streams) {
      // The first wait by which the next instruction has started.
      let next = NEVER;
      for (let k = stream.length - 1; k >= 0; k--) {
        const i = stream[k];
        // Of one row of an engine, instructions end in the order in which they started.
        const following = k + 1 < stream.length ? stream[k + 1] : -1;
        if (following >= 0 && track[i] === track[following]) lower(i, after[following]);
        next = Math.min(next, numberOf.get(i) ?? NEVER, after[i], after[this.done(i)]);
        for (let d = start[i]; d < start[i + 1]; d++) lower(event[d], next);
      }
    }
    return changed;
  }
}
