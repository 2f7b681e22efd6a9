/**
 * Rows folded to one value each, and scans along them, four rows at once: each lane processes its row in order and rounds after each
 * operation, as the reference does (`semantics/reduce.ts`, `semantics/scan.ts`). Rows lie one after the other.
 */
import {
  add,
  addFloats,
  below,
  doWhile,
  get,
  i32,
  load,
  loadLane,
  loadSplat,
  maximumFloats,
  minimumFloats,
  multiplyFloats,
  set,
  store,
  storeLane,
  type WasmCode,
  type WasmFunction,
} from './encode';
import type { WasmSpace } from './space';

const FLOAT_BYTES = 4;
const LANES = [0, 1, 2, 3];
const VECTOR_BYTES = LANES.length * FLOAT_BYTES;

const operations = { add: addFloats, multiply: multiplyFloats, maximum: maximumFloats, minimum: minimumFloats };
type Operation = keyof typeof operations;
const isOperation = (op: string): op is Operation => Object.hasOwn(operations, op);

const step = (local: number, by: WasmCode) => set(local, add(get(local), by));
/** A column of four rows, whose places are locals. */
const column = (rows: readonly number[]): WasmCode =>
  LANES.slice(1).reduce((vector: WasmCode, lane) => loadLane(get(rows[lane]), vector, lane), loadSplat(get(rows[0])));
const forwards = (rows: readonly number[]): WasmCode => rows.map(row => step(row, i32(FLOAT_BYTES)));
/** Sets four locals to rows that follow one another, the first at an address. */
const places = (rows: readonly number[], first: WasmCode, strideBytes: WasmCode): WasmCode =>
  rows.map((row, lane) => set(row, lane === 0 ? first : add(get(rows[lane - 1]), strideBytes)));

/** `sum = sum op each of a row`: the first element, the bytes from row to row, bytes of elements; sums, and their end. */
function fold(op: Operation): WasmFunction {
  const [FROM, STRIDE, SIZE, SUMS, SUMS_END, END] = [0, 1, 2, 3, 4, 5];
  const rows = [6, 7, 8, 9];
  const SUM = 10;
  const body = doWhile(
    below(get(SUMS), get(SUMS_END)),
    places(rows, get(FROM), get(STRIDE)),
    set(END, add(get(FROM), get(SIZE))),
    set(FROM, add(get(rows[3]), get(STRIDE))),
    set(SUM, load(get(SUMS))),
    doWhile(below(get(rows[0]), get(END)), set(SUM, operations[op](get(SUM), column(rows))), forwards(rows)),
    store(get(SUMS), get(SUM)),
    step(SUMS, i32(VECTOR_BYTES)),
  );
  return { name: op, params: 5, i32: 5, v128: 1, body };
}

/** `state = (row[i] op0 state) op1 other[i]; row[i] = state`: rows, others, the bytes of a row; states, and their end. */
function scan(op0: Operation, op1: Operation): WasmFunction {
  const [FROM, OTHER, STRIDE, STATES, STATES_END, END] = [0, 1, 2, 3, 4, 5];
  const [rows, others] = [
    [6, 7, 8, 9],
    [10, 11, 12, 13],
  ];
  const STATE = 14;
  const body = doWhile(
    below(get(STATES), get(STATES_END)),
    places(rows, get(FROM), get(STRIDE)),
    places(others, get(OTHER), get(STRIDE)),
    set(END, get(rows[1])),
    set(FROM, add(get(rows[3]), get(STRIDE))),
    set(OTHER, add(get(others[3]), get(STRIDE))),
    set(STATE, load(get(STATES))),
    doWhile(
      below(get(rows[0]), get(END)),
      set(STATE, operations[op1](operations[op0](column(rows), get(STATE)), column(others))),
      LANES.map(lane => storeLane(get(rows[lane]), get(STATE), lane)),
      forwards(rows),
      forwards(others),
    ),
    step(STATES, i32(VECTOR_BYTES)),
  );
  return { name: `${op0} ${op1}`, params: 5, i32: 9, v128: 1, body };
}

type Exports = Record<string, (...of: number[]) => void>;

export class FoldModule {
  private readonly functions: Exports;

  constructor(private readonly space: WasmSpace) {
    const all = Object.keys(operations) as Operation[];
    this.functions = space.instance([...all.map(fold), ...all.flatMap(op0 => all.map(op1 => scan(op0, op1)))]) as Exports;
  }

  /**
   * `sums[r] = sums[r] op row[from] op row[from + 1] ...` of the first rows.
   * @returns how many: a multiple of four, and none for other operations and arrays.
   */
  fold(op: string, values: Float32Array, run: number, from: number, sums: Float32Array): number {
    if (from >= run || !isOperation(op) || !this.reaches(values, sums)) return 0;
    const [rows, end] = wholeVectors(sums);
    if (rows > 0) this.functions[op](values.byteOffset + bytes(from), bytes(run), bytes(run - from), sums.byteOffset, end);
    return rows;
  }

  /** Scans the first rows in place, starting with `states`. @returns their number, as `fold` */
  scan(op0: string, op1: string, values: Float32Array, others: Float32Array, run: number, states: Float32Array): number {
    if (run === 0 || !isOperation(op0) || !isOperation(op1) || !this.reaches(values, others, states)) return 0;
    const [rows, end] = wholeVectors(states);
    if (rows > 0) this.functions[`${op0} ${op1}`](values.byteOffset, others.byteOffset, bytes(run), states.byteOffset, end);
    return rows;
  }

  private reaches(...arrays: Float32Array[]): boolean {
    return arrays.every(array => this.space.owns(array));
  }
}

const bytes = (floats: number) => floats * FLOAT_BYTES;

/** Elements in whole vectors of an array, and the address behind them. */
function wholeVectors({ byteOffset, length }: Float32Array): [elements: number, end: number] {
  const elements = length - (length % LANES.length);
  return [elements, byteOffset + bytes(elements)];
}
