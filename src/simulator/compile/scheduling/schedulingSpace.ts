/**
 * The space in SBUF and PSUM of the tensors that are in use between two instructions. It limits how far the scheduler runs ahead in rewritten
 * kernels, whose tensors get their addresses after it. This file has sizes only; `allocate.ts` chooses addresses.
 */
import type { Machine } from '../../hardware/machine';
import type { Compiled } from '../compiled';
import { HBM, type Patterns, PSUM, SBUF } from '../patterns';
import type { Policy } from '../policy';

type Code = Pick<Compiled, 'instructions' | 'accesses'>;

export class SchedulingSpace {
  private readonly near: number;
  private readonly far: number;
  private readonly farInstructions: number;
  private readonly capacityBytes: Record<number, number>;
  private readonly takenBytes: Record<number, number> = { [SBUF]: 0, [PSUM]: 0 };
  /** The oldest unit that was not issued. */
  oldest = 0;
  private readonly needed: Record<number, number> = { [SBUF]: 0, [PSUM]: 0 };
  /** The tensor that gave up its space last, and when. */
  private readonly released: Record<number, { bytes: number; endNs: number }> = {
    [SBUF]: { bytes: 0, endNs: 0 },
    [PSUM]: { bytes: 0, endNs: 0 },
  };
  /** Accesses of each tensor by units not issued yet. */
  private readonly uses: Uint32Array;
  private readonly live: Uint8Array;
  /** First access of each unit; one more entry than units. */
  private readonly accessStart: Uint32Array;

  constructor(
    machine: Machine,
    policy: Policy,
    private readonly patterns: Patterns,
    private readonly code: Code,
    private readonly firstOfUnit: Uint32Array,
  ) {
    this.capacityBytes = { [SBUF]: machine.sbufBytesPerPartition.value, [PSUM]: machine.psumBytesPerPartition.value };
    this.near = policy.nearShare.value;
    this.far = policy.farShare.value;
    this.farInstructions = policy.farInstructions.value;
    this.uses = new Uint32Array(patterns.tensors);
    this.live = new Uint8Array(patterns.tensors);
    for (const pattern of code.accesses.pattern) this.uses[patterns.tensor(pattern)]++;
    this.accessStart = Uint32Array.from(firstOfUnit, i => code.instructions.accessStart[i]);
  }

  /** Whether the unit's new tensors fit beside the live ones. */
  fits(unit: number): boolean {
    if (!this.needs(unit)) return true;
    const { needed } = this;
    const share = this.share(unit);
    return [SBUF, PSUM].every(space => this.takenBytes[space] + needed[space] <= share * this.capacityBytes[space]);
  }

  /** Time at which the unit can have its space: if it needs the space that was released last, not before the end of its last user. */
  freeNs(unit: number): number {
    if (!this.needs(unit)) return 0;
    const { needed, released } = this;
    let time = 0;
    for (const space of [SBUF, PSUM]) {
      const { bytes, endNs } = released[space];
      const full = this.takenBytes[space] + needed[space] + bytes > this.share(unit) * this.capacityBytes[space];
      if (needed[space] > 0 && full) time = Math.max(time, endNs);
    }
    return time;
  }

  /**
   * The share of each memory that the unit may use. It is larger for units near the oldest one that was not issued. The oldest one may
   * always continue.
   */
  private share(unit: number): number {
    const { near, far, farInstructions } = this;
    const ahead = this.firstOfUnit[unit] - this.firstOfUnit[this.oldest];
    return near - (near - far) * Math.min(1, ahead / farInstructions);
  }

  /** Writes the bytes of the unit's new tensors in each memory to `needed`. @returns whether there are any. */
  private needs(unit: number): boolean {
    const { needed } = this;
    needed[SBUF] = needed[PSUM] = 0;
    let some = false;
    for (let a = this.accessStart[unit]; a < this.accessStart[unit + 1]; a++) {
      const tensor = this.patterns.tensor(this.code.accesses.pattern[a]);
      if (this.live[tensor] === 1 || this.patterns.space(tensor) === HBM) continue;
      some = true;
      needed[this.patterns.space(tensor)] += this.patterns.bytesPerPartition(tensor);
    }
    return some;
  }

  /** @param endNs when its operands are read. */
  issue(unit: number, endNs: number) {
    for (let a = this.accessStart[unit]; a < this.accessStart[unit + 1]; a++) {
      const tensor = this.patterns.tensor(this.code.accesses.pattern[a]);
      const space = this.patterns.space(tensor);
      if (space === HBM) continue;
      if (this.live[tensor] === 0) {
        this.live[tensor] = 1;
        this.takenBytes[space] += this.patterns.bytesPerPartition(tensor);
      }
      if (--this.uses[tensor] > 0) continue;
      const bytes = this.patterns.bytesPerPartition(tensor);
      this.takenBytes[space] -= bytes;
      this.released[space] = { bytes, endNs };
    }
  }
}
