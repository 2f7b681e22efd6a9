/**
 * How far the list scheduler looks ahead of what it has not issued: so many instructions of the program, or so much work of the engines, so
 * many DMA triggers and so many groups of products. Space on chip is a limit of its own (`schedulingSpace.ts`, or addresses).
 */
import type { Policy } from '../policy';
import type { Units } from './units';

export type Lookahead =
  /** Instructions from the oldest one not yet issued. */
  | { readonly instructions: number }
  /** Ns of work of all engines together from the oldest instruction not yet issued, and DMA triggers and groups of products, each from the oldest one. */
  | WorkLimits;

export interface WorkLimits {
  readonly workNs: number;
  readonly triggers: number;
  /** Products that fill one tile one after another are one group (`productGroups.ts`). */
  readonly groups: number;
}

/** The settings that hold the lookahead of a pipeline in instructions; `work`: those of `WorkLimits`. */
export type LookaheadSetting = 'earlyWindowInstructions' | 'legacyWindowInstructions' | 'windowInstructions' | 'work';

export function lookaheadOf(policy: Policy, window: LookaheadSetting): Lookahead {
  if (window !== 'work') return { instructions: policy[window].value };
  const { literalWorkNs, literalTriggers, literalGroups } = policy;
  return { workNs: literalWorkNs.value, triggers: literalTriggers.value, groups: literalGroups.value };
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
  isProduct(unit: number): boolean;
  /** Of products: it is of the same group as the product before it in the program. */
  joins(unit: number): boolean;
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
  /** Of each unit the work before it. A trigger counts as none: their number limits them. */
  private readonly beforeNs: Float64Array;
  private readonly triggers: Kind;
  private readonly groups: Kind;

  constructor(
    private readonly limits: WorkLimits,
    { count }: Units,
    { busyNs, isTrigger, isProduct, joins }: UnitWork,
  ) {
    this.units = new Waiting(count);
    this.beforeNs = new Float64Array(count);
    let sumNs = 0;
    for (let unit = 0; unit < count; unit++) {
      this.beforeNs[unit] = sumNs;
      if (!isTrigger(unit)) sumNs += busyNs(unit);
    }
    this.triggers = new Kind(limits.triggers, count, isTrigger);
    this.groups = new Kind(limits.groups, count, isProduct, joins);
  }

  get oldest(): number {
    return this.units.oldest;
  }

  /** The oldest unit of all can always go. */
  reaches(unit: number): boolean {
    if (unit === this.oldest) return true;
    if (!this.triggers.reaches(unit) || !this.groups.reaches(unit)) return false;
    return this.beforeNs[unit] < this.beforeNs[this.oldest] + this.limits.workNs;
  }

  issue(unit: number) {
    this.units.issue(unit);
    this.triggers.issue(unit);
    this.groups.issue(unit);
  }
}

/** Units of one kind, of which the scheduler sees `most` from the oldest one not issued. Those that belong to the one before count as one with it. */
class Kind {
  /** By unit of the kind: the number that it counts as. */
  private readonly number: Uint32Array;
  /** By number: units not issued yet. */
  private readonly left: number[] = [];
  private readonly waiting: Waiting;

  constructor(
    private readonly most: number,
    count: number,
    private readonly has: (unit: number) => boolean,
    belongs: (unit: number) => boolean = () => false,
  ) {
    this.number = new Uint32Array(count);
    for (let unit = 0; unit < count; unit++) {
      if (!has(unit)) continue;
      if (!belongs(unit) || this.left.length === 0) this.left.push(0);
      this.number[unit] = this.left.length - 1;
      this.left[this.number[unit]]++;
    }
    this.waiting = new Waiting(this.left.length);
  }

  reaches(unit: number): boolean {
    return !this.has(unit) || this.number[unit] - this.waiting.oldest < this.most;
  }

  issue(unit: number) {
    if (this.has(unit) && --this.left[this.number[unit]] === 0) this.waiting.issue(this.number[unit]);
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
