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
    this.units = new Waiting(Uint32Array.from({ length: graph.count }, (_, unit) => unit));
  }

  get oldest(): number {
    return this.units.oldest ?? this.graph.count;
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

  constructor(
    private readonly limits: { workNs: number; triggers: number },
    private readonly graph: Units,
    private readonly work: UnitWork,
  ) {
    const units = Uint32Array.from({ length: graph.count }, (_, unit) => unit);
    this.units = new Waiting(units);
    this.triggers = new Waiting(units.filter(unit => work.isTrigger(unit)));
    this.beforeNs = new Float64Array(graph.count);
    let sumNs = 0;
    for (const unit of units) {
      this.beforeNs[unit] = sumNs;
      if (!work.isTrigger(unit)) sumNs += work.busyNs(unit);
    }
  }

  get oldest(): number {
    return this.units.oldest ?? this.graph.count;
  }

  /** The oldest unit of all can always go. */
  reaches(unit: number): boolean {
    if (unit === this.oldest) return true;
    if (this.work.isTrigger(unit) && this.triggers.ahead(unit) >= this.limits.triggers) return false;
    return this.beforeNs[unit] < this.beforeNs[this.oldest] + this.limits.workNs;
  }

  issue(unit: number) {
    this.units.issue(unit);
    if (this.work.isTrigger(unit)) this.triggers.issue(unit);
  }
}

/** Units in the order of the program, of which some were issued. */
class Waiting {
  private at = 0;
  private readonly issued: Uint8Array;
  /** By unit. */
  private readonly place: Uint32Array;

  constructor(private readonly units: Uint32Array) {
    this.issued = new Uint8Array(units.length);
    this.place = new Uint32Array((units.at(-1) ?? -1) + 1);
    for (const [k, unit] of units.entries()) this.place[unit] = k;
  }

  /** undefined: all were issued. */
  get oldest(): number | undefined {
    return this.units[this.at];
  }

  /** Units of the list from the oldest to the one before this. */
  ahead(unit: number): number {
    return this.place[unit] - this.at;
  }

  issue(unit: number) {
    this.issued[this.place[unit]] = 1;
    while (this.issued[this.at] === 1) this.at++;
  }
}
