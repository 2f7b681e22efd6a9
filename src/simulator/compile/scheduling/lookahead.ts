/**
 * How far the list scheduler looks ahead of what it has not issued: so many instructions of the program, or so much work of the engines and
 * so many DMA triggers. Space on chip is a limit of its own (`schedulingSpace.ts`).
 */
import type { Policy } from '../policy';
import type { Units } from './units';

export type Lookahead =
  /** Instructions from the oldest one not yet issued. */
  | { readonly instructions: number }
  /** Ns of work of all engines together from the oldest instruction not yet issued, and DMA triggers from the oldest one. */
  | { readonly workNs: number; readonly triggers: number };

/** The settings that hold the lookahead of a pipeline in instructions; `work`: `literalWorkNs` and `literalTriggers`. */
export type LookaheadSetting = 'earlyWindowInstructions' | 'legacyWindowInstructions' | 'windowInstructions' | 'work';

export function lookaheadOf(policy: Policy, window: LookaheadSetting): Lookahead {
  if (window !== 'work') return { instructions: policy[window].value };
  return { workNs: policy.literalWorkNs.value, triggers: policy.literalTriggers.value };
}

/** Which units the scheduler sees. It is told of each that is issued. */
export interface Horizon {
  /** The oldest unit that was not issued; their number when all are. */
  readonly oldest: number;
  reaches(unit: number): boolean;
  issue(unit: number): void;
}

/** What the horizon needs to know of units. */
export interface UnitWork {
  busyNs(unit: number): number;
  isTrigger(unit: number): boolean;
}

export function horizonOf(lookahead: Lookahead, units: Units, work: UnitWork): Horizon {
  return 'instructions' in lookahead ? new InstructionHorizon(lookahead.instructions, units) : new WorkHorizon(lookahead, units, work);
}

class InstructionHorizon implements Horizon {
  private readonly units: Waiting;

  constructor(
    private readonly instructions: number,
    private readonly graph: Units,
  ) {
    this.units = new Waiting(graph.count);
  }

  get oldest(): number {
    return this.units.oldest;
  }

  reaches(unit: number): boolean {
    const { first } = this.graph;
    return first[unit] < first[this.oldest] + this.instructions;
  }

  issue(unit: number) {
    this.units.issue(unit);
  }
}

class WorkHorizon implements Horizon {
  private readonly units: Waiting;
  private readonly triggers: Waiting;
  /** Of each unit the work before it. A trigger counts as none: their number limits them. */
  private readonly beforeNs: Float64Array;
  private readonly triggersBefore: Uint32Array;

  constructor(
    private readonly limits: { workNs: number; triggers: number },
    { count }: Units,
    private readonly work: UnitWork,
  ) {
    this.beforeNs = new Float64Array(count);
    this.triggersBefore = new Uint32Array(count);
    let [sumNs, triggers] = [0, 0];
    for (let unit = 0; unit < count; unit++) {
      this.beforeNs[unit] = sumNs;
      this.triggersBefore[unit] = triggers;
      if (work.isTrigger(unit)) triggers++;
      else sumNs += work.busyNs(unit);
    }
    this.units = new Waiting(count);
    this.triggers = new Waiting(triggers);
  }

  get oldest(): number {
    return this.units.oldest;
  }

  /** The oldest unit of all can always go. */
  reaches(unit: number): boolean {
    if (unit === this.oldest) return true;
    if (this.work.isTrigger(unit) && this.triggersBefore[unit] - this.triggers.oldest >= this.limits.triggers) return false;
    return this.beforeNs[unit] < this.beforeNs[this.oldest] + this.limits.workNs;
  }

  issue(unit: number) {
    this.units.issue(unit);
    if (this.work.isTrigger(unit)) this.triggers.issue(this.triggersBefore[unit]);
  }
}

/** Which of `count` numbers were issued, and the lowest that was not: `count` when all were. */
class Waiting {
  oldest = 0;
  private readonly issued: Uint8Array;

  constructor(count: number) {
    this.issued = new Uint8Array(count);
  }

  issue(number: number) {
    this.issued[number] = 1;
    while (this.issued[this.oldest] === 1) this.oldest++;
  }
}
