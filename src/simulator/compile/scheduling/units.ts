/**
 * Constraints for every order of machine code: units that stay together, and the dependences between units. The passes that change the
 * order use them.
 */
import { addressLoads } from '../addressLoads';
import { type Allocation, type Compiled, type Dependencies, TENSOR, TENSOR_MATRIX } from '../compiled';
import { dataDependencies } from '../dependencies/dependencies';
import type { Patterns } from '../patterns';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses' | 'transfers'>;

export interface Units {
  count: number;
  /** Unit of each instruction: weights and the MATMULs that follow them are one unit, every other instruction is its own unit. */
  unit: Uint32Array;
  /** First instruction of each unit; one more entry than units. */
  first: Uint32Array;
  /** Units that wait for unit u: successor[start[u]..start[u + 1]]. They come after it in the program. */
  start: Uint32Array;
  successor: Uint32Array;
  /** By unit: the number of its dependences, repeated ones included. */
  pending: Uint32Array;
}

/** Two instructions that keep their order, although no data makes them: the earlier one, the later one. */
export type OrderedPair = readonly [before: number, after: number];

/** @param allocation of tensors that have their addresses already: what takes a place waits for all that used it */
export function unitsOf(patterns: Patterns, code: Code, ordered: readonly OrderedPair[] = [], allocation?: Allocation): Units {
  const { unit, first } = joined(code);
  const count = first.length - 1;
  return { count, unit, first, ...unitEdges(code, dataDependencies(patterns, code, allocation), ordered, unit, count) };
}

/** Instructions in the order of their units; `count` of them at most. */
export function instructionsOf(count: number, first: Uint32Array, order: ArrayLike<number>): Uint32Array {
  const result = new Uint32Array(count);
  let at = 0;
  for (let k = 0; k < order.length; k++) for (let i = first[order[k]]; i < first[order[k] + 1]; i++) result[at++] = i;
  return result.slice(0, at);
}

/**
 * The order of TensorE, if a MATMUL uses weights that were not loaded directly before it, with instructions of other engines between: no
 * other weights may come in between.
 */
export function weightPairs({ instructions: { track, transfer } }: Code): OrderedPair[] {
  const isOfArray = (i: number) => isMatrix(track[i]) && transfer[i] < 0;
  const isApart = track.some((on, i) => on === TENSOR_MATRIX && isOfArray(i) && !(i > 0 && isOfArray(i - 1)));
  if (!isApart) return [];
  const ofArray = [...track.keys()].filter(isOfArray);
  return ofArray.slice(1).map((i, k): OrderedPair => [ofArray[k], i]);
}

/** LDWEIGHTS begins a unit, the MATMULs behind it belong to it; so does the trigger behind the load of its address. Every other instruction is a unit of its own. */
function joined(code: Code): { unit: Uint32Array; first: Uint32Array } {
  const { track, transfer } = code.instructions;
  const isAddress = addressLoads(code);
  const unit = new Uint32Array(track.length);
  const first: number[] = [];
  for (let i = 0; i < track.length; i++) {
    const joins = (track[i] === TENSOR_MATRIX && i > 0 && isMatrix(track[i - 1]) && transfer[i - 1] < 0) || (i > 0 && isAddress(i - 1));
    if (!joins) first.push(i);
    unit[i] = first.length - 1;
  }
  return { unit, first: Uint32Array.from([...first, track.length]) };
}

const isMatrix = (track: number) => track === TENSOR || track === TENSOR_MATRIX;

type Edge = (before: number, after: number) => void;

/** Successors of each unit by data, by the order that the kernel asks for, and of ScalarE's table loads by the functions that use them. */
function unitEdges(code: Code, data: Dependencies, ordered: readonly OrderedPair[], unit: Uint32Array, units: number) {
  const start = new Uint32Array(units + 1);
  const pending = new Uint32Array(units);
  eachEdge(code, data, ordered, unit, (before, after) => {
    start[before + 1]++;
    pending[after]++;
  });
  for (let u = 0; u < units; u++) start[u + 1] += start[u];
  const next = start.slice();
  const successor = new Uint32Array(start[units]);
  eachEdge(code, data, ordered, unit, (before, after) => {
    successor[next[before]++] = after;
  });
  return { start, successor, pending };
}

/** All edges, one at a time: kernels of many small DMAs have more than an array of the language holds. */
function eachEdge(code: Code, data: Dependencies, ordered: readonly OrderedPair[], unit: Uint32Array, edge: Edge) {
  const count = code.instructions.track.length;
  for (let i = 0; i < count; i++)
    for (let d = data.start[i]; d < data.start[i + 1]; d++) {
      const event = data.event[d];
      const source = unit[event < count ? event : code.transfers.trigger[event - count]];
      if (source !== unit[i]) edge(source, unit[i]);
    }
  for (const [before, after] of ordered) if (unit[before] !== unit[after]) edge(unit[before], unit[after]);
  tableEdges(code, (before, after) => edge(unit[before], unit[after]));
}

/** A function runs between the load of its table and the next load. */
function tableEdges({ opcodes, instructions: { opcode } }: Code, edge: Edge) {
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
