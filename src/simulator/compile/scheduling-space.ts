/**
 * How much of SBUF and PSUM the tensors take that are in use between two instructions: what keeps the scheduler from
 * running too far ahead. Sizes only; addresses are `allocate.ts`'s.
 */
import type { Machine } from '../hardware/machine';
import type { Compiled } from './compiled';
import { HBM, type Patterns, PSUM, SBUF } from './patterns';

type Code = Pick<Compiled, 'instructions' | 'accesses'>;

/** Of each memory, for what runs ahead; the rest stays for the oldest unit, which may always go on, and for gaps between tensors. */
const AHEAD = 0.8;

export class Space {
  private readonly capacityBytes: Record<number, number>;
  private readonly takenBytes: Record<number, number> = { [SBUF]: 0, [PSUM]: 0 };
  /** Accesses of each tensor by units not issued yet. */
  private readonly uses: Uint32Array;
  private readonly live: Uint8Array;
  /** First access of each unit; one more entry than units. */
  private readonly accessStart: Uint32Array;

  constructor(
    machine: Machine,
    private readonly patterns: Patterns,
    private readonly code: Code,
    firstOfUnit: Uint32Array,
  ) {
    this.capacityBytes = { [SBUF]: AHEAD * machine.sbufBytesPerPartition.value, [PSUM]: AHEAD * machine.psumBytesPerPartition.value };
    this.uses = new Uint32Array(patterns.tensors);
    this.live = new Uint8Array(patterns.tensors);
    for (const pattern of code.accesses.pattern) this.uses[patterns.tensor(pattern)]++;
    this.accessStart = Uint32Array.from(firstOfUnit, i => code.instructions.accessStart[i]);
  }

  /** What the unit brings to life fits beside what is live. */
  fits(unit: number): boolean {
    const needed: Record<number, number> = { [SBUF]: 0, [PSUM]: 0 };
    let some = false;
    for (let a = this.accessStart[unit]; a < this.accessStart[unit + 1]; a++) {
      const tensor = this.patterns.tensor(this.code.accesses.pattern[a]);
      if (this.live[tensor] === 1 || this.patterns.space(tensor) === HBM) continue;
      some = true;
      needed[this.patterns.space(tensor)] += this.patterns.bytesPerPartition(tensor);
    }
    return !some || [SBUF, PSUM].every(space => this.takenBytes[space] + needed[space] <= this.capacityBytes[space]);
  }

  issue(unit: number) {
    for (let a = this.accessStart[unit]; a < this.accessStart[unit + 1]; a++) {
      const tensor = this.patterns.tensor(this.code.accesses.pattern[a]);
      const space = this.patterns.space(tensor);
      if (space === HBM) continue;
      if (this.live[tensor] === 0) {
        this.live[tensor] = 1;
        this.takenBytes[space] += this.patterns.bytesPerPartition(tensor);
      }
      if (--this.uses[tensor] === 0) this.takenBytes[space] -= this.patterns.bytesPerPartition(tensor);
    }
  }
}
