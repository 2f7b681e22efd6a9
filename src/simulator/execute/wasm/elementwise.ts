/**
 * ALU operations and rounding with four lanes at once, over scratch arrays in the modules' memory (`scratch.ts`).
 * The numbers are those of `loops.ts` and `rounding.ts`.
 */
import {
  absoluteFloats,
  add,
  addFloats,
  addLanes,
  andBits,
  below,
  compareFloats,
  divideDoubles,
  divideFloats,
  doWhile,
  fromDoubles,
  get,
  greaterLanes,
  halves,
  i32,
  load,
  maximumFloats,
  minimumFloats,
  multiplyFloats,
  orBits,
  select,
  set,
  shiftRightLanes,
  splat,
  squareRootDoubles,
  squareRootFloats,
  store,
  subtractFloats,
  toDoubles,
  type WasmCode,
  type WasmFunction,
} from './encode';
import type { WasmArea, WasmSpace } from './space';

const FLOAT_BYTES = 4;
const LANES = 4;
const VECTOR_BYTES = LANES * FLOAT_BYTES;

/** `out = a op b`: addresses of a, b, out, and the end of out. Whole vectors. */
function binary(name: string, operation: (a: WasmCode, b: WasmCode) => WasmCode): WasmFunction {
  const [A, B, OUT, END] = [0, 1, 2, 3];
  const step = (local: number) => set(local, add(get(local), i32(VECTOR_BYTES)));
  const body = doWhile(below(get(OUT), get(END)), store(get(OUT), operation(load(get(A)), load(get(B)))), step(A), step(B), step(OUT));
  return { name, params: 4, i32: 0, v128: 0, body };
}

const MAGNITUDE = 0x7fffffff;
const INFINITY_BITS = 0x7f800000;
const NAN_BITS = 0x7fc00000;

/** Drops the low bits of floats in place, ties to even: address, end. */
function drop(bits: number): WasmFunction {
  const [AT, END, VALUE] = [0, 1, 2];
  const odd = andBits(shiftRightLanes(get(VALUE), bits), splat(1));
  const rounded = andBits(addLanes(addLanes(get(VALUE), splat((1 << (bits - 1)) - 1)), odd), splat(-1 << bits));
  // A NaN must not be carried into infinity.
  const isNan = greaterLanes(andBits(get(VALUE), splat(MAGNITUDE)), splat(INFINITY_BITS));
  const body = doWhile(
    below(get(AT), get(END)),
    set(VALUE, load(get(AT))),
    store(get(AT), select(isNan, splat(NAN_BITS), rounded)),
    set(AT, add(get(AT), i32(VECTOR_BYTES))),
  );
  return { name: `drop${bits}`, params: 2, i32: 0, v128: 1, body };
}

/** All bits that are set in any of the vectors: address, end, where the four lanes go. */
function union(): WasmFunction {
  const [AT, END, OUT, BITS] = [0, 1, 2, 3];
  const gather = doWhile(below(get(AT), get(END)), set(BITS, orBits(get(BITS), load(get(AT)))), set(AT, add(get(AT), i32(VECTOR_BYTES))));
  return { name: 'union', params: 3, i32: 0, v128: 1, body: [gather, store(get(OUT), get(BITS))] };
}

/** `out = op a`: addresses of a, out, and the end of out. Whole vectors. */
function unary(name: string, operation: (a: WasmCode) => WasmCode): WasmFunction {
  const [A, OUT, END, VALUE] = [0, 1, 2, 3];
  const step = (local: number) => set(local, add(get(local), i32(VECTOR_BYTES)));
  const body = doWhile(below(get(OUT), get(END)), set(VALUE, load(get(A))), store(get(OUT), operation(get(VALUE))), step(A), step(OUT));
  return { name, params: 3, i32: 0, v128: 1, body };
}

const ONE = splat(0x3f800000);
/** 1 in both lanes of double precision. */
const ONES = toDoubles(ONE);
/** 1 / sqrt(a) in double precision, rounded at the end, as the definition has it. */
const inverseRoots = (a: WasmCode) => fromDoubles(divideDoubles(ONES, squareRootDoubles(toDoubles(a))));

/** Operations of one value: those of `functions.ts` that give the same result with one float32 rounding. */
const unaryOperations: Readonly<Record<string, (a: WasmCode) => WasmCode>> = {
  square: a => multiplyFloats(a, a),
  abs: absoluteFloats,
  relu: a => maximumFloats(a, splat(0)),
  sqrt: squareRootFloats,
  reciprocal: a => divideFloats(ONE, a),
  rsqrt: a => halves(inverseRoots(a), inverseRoots(halves(a, a, 1, 1)), 0, 2),
};

const truths = Object.entries(compareFloats).map(
  ([name, compare]) => [name, (a: WasmCode, b: WasmCode) => andBits(compare(a, b), ONE)] as const,
);

const operations: Readonly<Record<string, (a: WasmCode, b: WasmCode) => WasmCode>> = {
  ...Object.fromEntries(truths),
  add: addFloats,
  subtract: subtractFloats,
  multiply: multiplyFloats,
  divide: divideFloats,
  maximum: maximumFloats,
  minimum: minimumFloats,
};

/** Mantissa bits that bfloat16 and tfloat32 drop. */
const DROPPED = [16, 13];

type Exports = Record<string, (...addresses: number[]) => void>;

export class ElementwiseModule {
  private readonly functions: Exports;
  private lanes: WasmArea | null = null;

  constructor(private readonly space: WasmSpace) {
    const one = Object.entries(unaryOperations).map(([name, operation]) => unary(name, operation));
    const two = Object.entries(operations).map(([name, operation]) => binary(name, operation));
    const all = [...one, ...two, ...DROPPED.map(drop), union()];
    this.functions = space.instance(all) as Exports;
  }

  /**
   * `out = a op b`, or `op a`, of the first elements.
   * @returns how many: whole vectors, and none for other operations and arrays.
   */
  apply(op: string, a: Float32Array, b: Float32Array, out: Float32Array): number {
    const done = wholeVectors(out);
    if (done === 0 || !this.space.owns(a) || !this.space.owns(b) || !this.space.owns(out)) return 0;
    const end = out.byteOffset + done * FLOAT_BYTES;
    if (Object.hasOwn(unaryOperations, op)) this.functions[op](a.byteOffset, out.byteOffset, end);
    else if (Object.hasOwn(operations, op)) this.functions[op](a.byteOffset, b.byteOffset, out.byteOffset, end);
    else return 0;
    return done;
  }

  /** The bits that are set in any of the first elements. @returns with how many: whole vectors, and none of other arrays. */
  usedBits(values: Float32Array): { used: number; done: number } {
    const done = wholeVectors(values);
    this.lanes ??= this.space.reserve(VECTOR_BYTES);
    if (done === 0 || !this.lanes || !this.space.owns(values)) return { used: 0, done: 0 };
    const { buffer, offset } = this.lanes;
    this.functions.union(values.byteOffset, values.byteOffset + done * FLOAT_BYTES, offset);
    return { used: new Int32Array(buffer, offset, LANES).reduce((all, lane) => all | lane), done };
  }

  /** Drops low mantissa bits of the first elements. @returns how many: whole vectors, and none for other arrays. */
  drop(bits: number, values: Float32Array): number {
    const done = wholeVectors(values);
    if (done === 0 || !DROPPED.includes(bits) || !this.space.owns(values)) return 0;
    this.functions[`drop${bits}`](values.byteOffset, values.byteOffset + done * FLOAT_BYTES);
    return done;
  }
}

const wholeVectors = (values: Float32Array) => values.length - (values.length % LANES);
