/**
 * The order in which the Neuron compiler's scheduler would issue a kernel: each engine takes the first instruction, in the program or by
 * height, whose dependences are fulfilled (list scheduling), within a window and the space on chip. It returns the same code in the new
 * order, without adding or removing instructions, and on the engines that were chosen for instructions that two can do. Weights stay with the
 * MATMULs that use them.
 */

import { type Machine, triggerLatencyNs } from '../../hardware/machine';
import { ENGINES } from '../../vocabulary/engines';
import { DGE_MODES } from '../../vocabulary/queues';
import { type Allocation, type Alternative, type Compiled, type MachineInstructions, TENSOR } from '../compiled';
import { READS_HBM } from '../directions';
import { movingNs } from '../moving';
import type { Patterns } from '../patterns';
import type { Following, Policy } from '../policy';
import { EngineChoice, NONE } from './engineChoice';
import { heights } from './heights';
import { type Horizon, horizonOf, type Lookahead } from './lookahead';
import { productGroups } from './productGroups';
import { ReadyLists } from './readyLists';
import { SchedulingSpace } from './schedulingSpace';
import { instructionsOf, type OrderedPair, type Units, unitsOf } from './units';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses' | 'transfers' | 'cuts'>;

/** What limits the scheduler besides data and space. */
export interface OrderLimits {
  lookahead: Lookahead;
  ordered: readonly OrderedPair[];
  /** Of the units that can start at the same time: the first in the program, or the one with the longest path to the end. */
  takesFirst: 'position' | 'height';
  follows: Following;
  /** Of the instructions that two engines can do. */
  alternatives: readonly Alternative[];
  /** Of tensors that have their addresses already; absent: their sizes limit how far it runs ahead. */
  allocation?: Allocation;
}

export interface Scheduled {
  /** Instruction numbers in the new order. */
  order: Uint32Array;
  /** In the old order, on the engines that were chosen. */
  instructions: MachineInstructions;
}

export function scheduled(machine: Machine, policy: Policy, patterns: Patterns, code: Code, limits: OrderLimits): Scheduled {
  return new Scheduler(machine, policy, patterns, code, limits).run();
}

class Scheduler {
  private readonly graph: Units;
  /** By unit: the number of units that it still waits for. */
  private readonly pending: Uint32Array;
  private readonly readyNs: Float64Array;
  /** Time at which each unit's result is available to later units. */
  private readonly engineFreeNs = new Float64Array(ENGINES.length);
  private readonly lists: ReadyLists;
  private readonly horizon: Horizon;
  /** Undefined where tensors have their addresses already. */
  private readonly space: SchedulingSpace | undefined;
  /** Units in the order they were issued, which is that of their start. */
  private readonly sequence: Uint32Array;
  private count = 0;
  private nowNs = 0;
  /** By unit: of those that can start at the same time, the lowest goes first. */
  private readonly rank: Uint32Array;
  private readonly follows: Following;
  private readonly engines: EngineChoice;

  constructor(
    private readonly machine: Machine,
    policy: Policy,
    patterns: Patterns,
    private readonly code: Code,
    { lookahead, ordered, takesFirst, follows, alternatives, allocation }: OrderLimits,
  ) {
    this.graph = unitsOf(patterns, code, ordered, allocation);
    this.follows = follows;
    this.engines = new EngineChoice(code.instructions, alternatives);
    const { count, first, pending } = this.graph;
    this.pending = pending;
    this.readyNs = new Float64Array(count);
    this.sequence = new Uint32Array(count);
    this.horizon = horizonOf(lookahead, this.graph, {
      busyNs: unit => this.busyNs(unit),
      isTrigger: unit => this.isTrigger(unit),
      isProduct: unit => this.isProduct(unit),
      joins: productGroups(this.graph, patterns, code, unit => this.isProduct(unit)),
    });
    if (!allocation) this.space = new SchedulingSpace(machine, policy, patterns, code, first);
    this.rank = takesFirst === 'height' ? this.ranksByHeight() : Uint32Array.from({ length: count }, (_, u) => u);
    this.lists = new ReadyLists(ENGINES.length, policy.consideredUnits.value, this.rank);
  }

  run(): Scheduled {
    const { count } = this.graph;
    for (let u = 0; u < count; u++) if (this.pending[u] === 0) this.offer(u);
    for (let left = count; left > 0; left--) this.issue(this.choose());
    const order = instructionsOf(this.code.instructions.track.length, this.graph.first, this.sequence);
    return { order, instructions: this.engines.settled() };
  }

  /** Of units with the same height the first in the program has the lower rank. */
  private ranksByHeight(): Uint32Array {
    const heightNs = heights(this.graph, {
      resultNs: unit => this.resultNs(unit, this.busyNs(unit)),
      isProduct: unit => this.isProduct(unit),
    });
    const highestFirst = [...heightNs.keys()].sort((a, b) => heightNs[b] - heightNs[a] || a - b);
    const rank = new Uint32Array(heightNs.length);
    for (const [at, unit] of highestFirst.entries()) rank[unit] = at;
    return rank;
  }

  private engineOf(unit: number): number {
    return this.engines.engineOf(this.graph.first[unit]);
  }

  /** The load of an address and the trigger behind it are one unit. */
  private isTrigger(unit: number): boolean {
    return this.code.instructions.transfer[this.graph.first[unit + 1] - 1] >= 0;
  }

  private isProduct(unit: number): boolean {
    return this.engineOf(unit) === TENSOR && !this.isTrigger(unit);
  }

  private otherEngineOf(unit: number): number {
    return this.engines.otherEngine(this.graph.first[unit]);
  }

  private offer(unit: number) {
    this.lists.add(this.engineOf(unit), unit, this.readyNs[unit]);
    const other = this.otherEngineOf(unit);
    if (other !== NONE) this.lists.add(other, unit, this.readyNs[unit]);
  }

  /** The unit that can start first; of equal ones the one of the lowest rank, on the engine where it starts first. Units without space wait. */
  private choose(): number {
    let best = -1;
    let on = NONE;
    let bestNs = Number.POSITIVE_INFINITY;
    for (let engine = 0; engine < ENGINES.length; engine++) {
      const unit = this.lists.best(engine, this.engineFreeNs[engine], u => this.allowed(u));
      if (unit < 0) continue;
      const start = Math.max(this.engineFreeNs[engine], this.readyNs[unit]);
      // Of engines that are free at the same time the last takes it: ScalarE makes the first copy of the recording.
      if (start < bestNs || (start === bestNs && this.rank[unit] <= this.rank[best])) [best, bestNs, on] = [unit, start, engine];
    }
    // Nothing fits: the oldest unit continues, as in the order of the program.
    if (best < 0) best = this.horizon.oldest;
    this.settle(best, on);
    return best;
  }

  /** @param on the engine; NONE: that of its lowering */
  private settle(unit: number, on: number) {
    const other = this.otherEngineOf(unit);
    if (other === NONE) return;
    const moves = on === other;
    this.lists.remove(moves ? this.engineOf(unit) : other, unit);
    if (moves) this.engines.move(this.graph.first[unit]);
  }

  private allowed(unit: number): boolean {
    return this.horizon.reaches(unit) && (this.space?.fits(unit) ?? true);
  }

  private issue(unit: number) {
    const engine = this.engineOf(unit);
    // A unit that waited for space starts no earlier than the release of that space.
    const start = Math.max(this.engineFreeNs[engine], this.readyNs[unit], this.nowNs, this.space?.freeNs(unit) ?? 0);
    this.nowNs = start;
    this.lists.remove(engine, unit);
    this.sequence[this.count++] = unit;
    this.horizon.issue(unit);
    if (this.space) this.space.oldest = this.horizon.oldest;
    const { start: successorStart, successor } = this.graph;
    const busy = this.busyNs(unit);
    this.engineFreeNs[engine] = start + busy;
    this.space?.issue(unit, start + busy);
    const end = start + this.resultNs(unit, busy);
    const endForOwn = this.follows === 'issue' && !this.isTrigger(unit) ? start + busy : end;
    for (let s = successorStart[unit]; s < successorStart[unit + 1]; s++) {
      const next = successor[s];
      const ready = this.engineOf(next) === engine ? endForOwn : end;
      if (ready > this.readyNs[next]) this.readyNs[next] = ready;
      if (--this.pending[next] === 0) this.offer(next);
    }
  }

  private busyNs(unit: number): number {
    const { first } = this.graph;
    let busyNs = 0;
    for (let i = first[unit]; i < first[unit + 1]; i++) if (this.streams(i)) busyNs += this.engines.issueNs(i);
    return busyNs;
  }

  /** Loading weights overlaps with the MATMUL before. */
  private streams(i: number): boolean {
    return this.code.instructions.track[i] !== TENSOR || this.code.instructions.transfer[i] >= 0;
  }

  private resultNs(unit: number, busyNs: number): number {
    const last = this.graph.first[unit + 1] - 1;
    const { transfer } = this.code.instructions;
    const hopNs = this.machine.semaphoreNs.default.value;
    if (transfer[last] < 0) return busyNs + Math.max(0, this.engines.durationNs(last) - this.engines.issueNs(last)) + hopNs;
    const { dma } = this.machine;
    const { mode, direction } = this.code.transfers;
    const t = transfer[last];
    const startNs = triggerLatencyNs(dma, DGE_MODES[mode[t]], READS_HBM[direction[t]] === 1);
    return startNs + movingNs(this.machine, this.code, t) + dma.completionNs.value;
  }
}
