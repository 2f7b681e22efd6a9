/**
 * The order in which the Neuron compiler's scheduler would issue a rewritten kernel: each engine takes, of what its data
 * allows, the first in the program (list scheduling), as far ahead as a window and the space on chip let it. Gives the
 * same code in the new order; nothing is added or taken away. Weights stay with the MATMULs that use them.
 */

import { DGE_MODES, type Machine, triggerLatencyNs } from '../hardware/machine';
import { type Compiled, ENGINES, TENSOR, TENSOR_MATRIX, TRACK_ENGINE } from './compiled';
import { dataDependencies } from './dependencies';
import { READS_HBM } from './directions';
import type { Patterns } from './patterns';
import { ReadyLists } from './ready-lists';
import { Space } from './scheduling-space';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses' | 'transfers'>;

/** Instructions from the oldest not yet issued to the last the scheduler looks at: assumed, AWS publishes none. */
const WINDOW = 4096;

/** Instruction numbers in the new order. */
export function schedulingOrder(machine: Machine, patterns: Patterns, code: Code): Uint32Array {
  return new Scheduler(machine, patterns, code).run();
}

class Scheduler {
  /** Unit of each instruction: weights and the MATMULs that follow them are one, everything else stands alone. */
  private readonly unit: Uint32Array;
  /** First instruction of each unit; one more entry than units. */
  private readonly first: Uint32Array;
  private readonly units: number;
  private readonly pending: Uint32Array;
  private readonly readyNs: Float64Array;
  private readonly successorStart: Uint32Array;
  private readonly successor: Uint32Array;
  /** When each unit's result is there for units behind it. */
  private readonly engineFreeNs = new Float64Array(ENGINES.length);
  private readonly lists: ReadyLists;
  private readonly space: Space;
  /** Units in the order they were issued, which is that of their start. */
  private readonly sequence: Uint32Array;
  private count = 0;
  private nowNs = 0;
  private oldest = 0;
  private readonly issued: Uint8Array;

  constructor(
    private readonly machine: Machine,
    patterns: Patterns,
    private readonly code: Code,
  ) {
    const { unit, first } = unitsOf(code);
    this.unit = unit;
    this.first = first;
    this.units = first.length - 1;
    this.readyNs = new Float64Array(this.units);
    this.sequence = new Uint32Array(this.units);
    this.issued = new Uint8Array(this.units);
    const edges = unitEdges(code, dataDependencies(patterns, code), unit, this.units);
    this.pending = edges.pending;
    this.successorStart = edges.start;
    this.successor = edges.successor;
    this.space = new Space(machine, patterns, code, first);
    this.lists = new ReadyLists(ENGINES.length);
  }

  run(): Uint32Array {
    for (let u = 0; u < this.units; u++) if (this.pending[u] === 0) this.offer(u);
    for (let left = this.units; left > 0; left--) this.issue(this.choose());
    return this.order();
  }

  private engineOf(unit: number): number {
    return TRACK_ENGINE[this.code.instructions.track[this.first[unit]]];
  }

  private offer(unit: number) {
    this.lists.add(this.engineOf(unit), unit, this.readyNs[unit]);
  }

  /** The unit that can start first; of equal ones the first in the program. What has no space yet waits. */
  private choose(): number {
    let best = -1;
    let bestNs = Number.POSITIVE_INFINITY;
    for (let engine = 0; engine < ENGINES.length; engine++) {
      const unit = this.lists.best(engine, this.engineFreeNs[engine], u => this.allowed(u));
      if (unit < 0) continue;
      const start = Math.max(this.engineFreeNs[engine], this.readyNs[unit]);
      if (start < bestNs || (start === bestNs && unit < best)) [best, bestNs] = [unit, start];
    }
    // Nothing fits: the oldest goes on, as it would have in the order of the program.
    return best >= 0 ? best : this.oldest;
  }

  private allowed(unit: number): boolean {
    return this.first[unit] < this.first[this.oldest] + WINDOW && this.space.fits(unit);
  }

  private issue(unit: number) {
    const engine = this.engineOf(unit);
    // What had to wait for space starts no earlier than what gave it.
    const start = Math.max(this.engineFreeNs[engine], this.readyNs[unit], this.nowNs, this.space.freeNs(unit));
    this.nowNs = start;
    this.lists.remove(engine, unit);
    this.sequence[this.count++] = unit;
    this.issued[unit] = 1;
    while (this.oldest < this.units && this.issued[this.oldest] === 1) this.oldest++;
    this.space.oldest = this.oldest;
    const { issueNs } = this.code.instructions;
    let busy = 0;
    for (let i = this.first[unit]; i < this.first[unit + 1]; i++) if (this.streams(i)) busy += issueNs[i];
    this.engineFreeNs[engine] = start + busy;
    this.space.issue(unit, start + busy);
    const end = start + this.resultNs(unit, busy);
    for (let s = this.successorStart[unit]; s < this.successorStart[unit + 1]; s++) {
      const next = this.successor[s];
      if (end > this.readyNs[next]) this.readyNs[next] = end;
      if (--this.pending[next] === 0) this.offer(next);
    }
  }

  /** Loading weights hides behind the MATMUL before. */
  private streams(i: number): boolean {
    return this.code.instructions.track[i] !== TENSOR || this.code.instructions.transfer[i] >= 0;
  }

  private resultNs(unit: number, busyNs: number): number {
    const last = this.first[unit + 1] - 1;
    const { transfer, durationNs, issueNs } = this.code.instructions;
    const hopNs = this.machine.semaphoreNs.default.value;
    if (transfer[last] < 0) return busyNs + Math.max(0, durationNs[last] - issueNs[last]) + hopNs;
    const { dma } = this.machine;
    const { mode, bytes, direction } = this.code.transfers;
    const t = transfer[last];
    const startNs = triggerLatencyNs(dma, DGE_MODES[mode[t]], READS_HBM[direction[t]] === 1);
    return startNs + bytes[t] / dma.hbmReadBytesPerNs.value + dma.completionNs.value;
  }

  private order(): Uint32Array {
    const result = new Uint32Array(this.unit.length);
    let at = 0;
    for (const u of this.sequence) for (let i = this.first[u]; i < this.first[u + 1]; i++) result[at++] = i;
    return result;
  }
}

/** LDWEIGHTS begins a unit, the MATMULs behind it belong to it; every other instruction is a unit of its own. */
function unitsOf({ instructions: { track, transfer } }: Code): { unit: Uint32Array; first: Uint32Array } {
  const unit = new Uint32Array(track.length);
  const first: number[] = [];
  for (let i = 0; i < track.length; i++) {
    const joins = track[i] === TENSOR_MATRIX && i > 0 && isMatrix(track[i - 1]) && transfer[i - 1] < 0;
    if (!joins) first.push(i);
    unit[i] = first.length - 1;
  }
  return { unit, first: Uint32Array.from([...first, track.length]) };
}

const isMatrix = (track: number) => track === TENSOR || track === TENSOR_MATRIX;

/** Successors of each unit by data, and of ScalarE's table loads by the functions that use them. */
function unitEdges(code: Code, data: ReturnType<typeof dataDependencies>, unit: Uint32Array, units: number) {
  const count = code.instructions.track.length;
  const from: number[] = [];
  const to: number[] = [];
  for (let i = 0; i < count; i++)
    for (let d = data.start[i]; d < data.start[i + 1]; d++) {
      const event = data.event[d];
      const source = unit[event < count ? event : code.transfers.trigger[event - count]];
      if (source !== unit[i]) {
        from.push(source);
        to.push(unit[i]);
      }
    }
  tableEdges(code, (a, b) => {
    from.push(unit[a]);
    to.push(unit[b]);
  });
  return columns(from, to, units);
}

/** A function runs between the load of its table and the next load. */
function tableEdges({ opcodes, instructions: { opcode } }: Code, edge: (before: number, after: number) => void) {
  const [load, use] = [opcodes.indexOf('ACT_TABLE_LOAD'), opcodes.indexOf('ACTIVATE')];
  let loaded = -1;
  let users: number[] = [];
  for (let i = 0; i < opcode.length; i++) {
    if (opcode[i] === load) {
      for (const user of users) edge(user, i);
      if (users.length === 0 && loaded >= 0) edge(loaded, i);
      loaded = i;
      users = [];
    } else if (opcode[i] === use) {
      if (loaded >= 0) edge(loaded, i);
      users.push(i);
    }
  }
}

function columns(from: readonly number[], to: readonly number[], units: number) {
  const start = new Uint32Array(units + 1);
  const pending = new Uint32Array(units);
  for (let e = 0; e < from.length; e++) {
    start[from[e] + 1]++;
    pending[to[e]]++;
  }
  for (let u = 0; u < units; u++) start[u + 1] += start[u];
  const next = start.slice();
  const successor = new Uint32Array(from.length);
  for (let e = 0; e < from.length; e++) successor[next[from[e]]++] = to[e];
  return { start, successor, pending };
}
