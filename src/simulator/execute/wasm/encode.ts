/**
 * Writes the bytes of small WebAssembly modules: one memory, functions of i32 parameters and no result. A body is a list of instructions
 * that the functions here make, with nested lists for blocks (WebAssembly core specification 2.0, section 5).
 */

export type WasmCode = readonly (number | WasmCode)[];

export interface WasmFunction {
  name: string;
  /** Parameters, all i32: locals 0, 1, ... */
  params: number;
  /** Further locals: i32 first, then v128. */
  i32: number;
  v128: number;
  body: WasmCode;
}

const I32 = 0x7f;
const V128 = 0x7b;
const VOID = 0x40;
const SIMD = 0xfd;

export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const simd = (opcode: number, ...rest: number[]): WasmCode => [SIMD, ...unsigned(opcode), ...rest];

/** Alignment as a power of two, then the offset in bytes. */
const at = (align: number, offsetBytes: number) => [align, ...unsigned(offsetBytes)];

export const get = (local: number): WasmCode => [0x20, ...unsigned(local)];
export const set = (local: number, value: WasmCode): WasmCode => [value, 0x21, ...unsigned(local)];
export const i32 = (value: number): WasmCode => [0x41, ...signed(value)];
export const add = (a: WasmCode, b: WasmCode): WasmCode => [a, b, 0x6a];
export const subtract = (a: WasmCode, b: WasmCode): WasmCode => [a, b, 0x6b];
export const and = (a: WasmCode, b: WasmCode): WasmCode => [a, b, 0x71];
/** Signed. */
export const less = (a: WasmCode, b: WasmCode): WasmCode => [a, b, 0x48];
/** Unsigned, as addresses are. */
export const below = (a: WasmCode, b: WasmCode): WasmCode => [a, b, 0x49];

export const load = (address: WasmCode, offsetBytes = 0): WasmCode => [address, simd(0x00, ...at(2, offsetBytes))];
/** One float in all four lanes. */
export const loadSplat = (address: WasmCode, offsetBytes = 0): WasmCode => [address, simd(0x09, ...at(2, offsetBytes))];
export const store = (address: WasmCode, value: WasmCode, offsetBytes = 0): WasmCode => [address, value, simd(0x0b, ...at(2, offsetBytes))];
export const loadWord = (address: WasmCode): WasmCode => [address, 0x28, ...at(2, 0)];
export const storeWord = (address: WasmCode, value: WasmCode): WasmCode => [address, value, 0x36, ...at(2, 0)];
export const addFloats = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0xe4)];
export const subtractFloats = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0xe5)];
export const divideFloats = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0xe7)];
/** NaN when one of them is; 0 is above -0. */
export const minimumFloats = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0xe8)];
export const maximumFloats = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0xe9)];
export const multiplyFloats = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0xe6)];
export const absoluteFloats = (a: WasmCode): WasmCode => [a, simd(0xe0)];
export const squareRootFloats = (a: WasmCode): WasmCode => [a, simd(0xe3)];
/** Lanes of all ones or all zeros; a NaN is not equal to anything, and neither above nor below. */
export const compareFloats = {
  equal: (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x41)],
  not_equal: (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x42)],
  less: (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x43)],
  greater: (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x44)],
  less_equal: (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x45)],
  greater_equal: (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x46)],
} as const;
/** Two lanes of double precision: of the lower half of floats, and back to the lower half, rounded. */
export const toDoubles = (a: WasmCode): WasmCode => [a, simd(0x5f)];
export const fromDoubles = (a: WasmCode): WasmCode => [a, simd(0x5e)];
export const squareRootDoubles = (a: WasmCode): WasmCode => [a, simd(0xef)];
export const divideDoubles = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0xf3)];
/** The halves of a vector named by the halves (0 and 1 of a, 2 and 3 of b). */
export const halves = (a: WasmCode, b: WasmCode, low: number, high: number): WasmCode => [
  a,
  b,
  simd(0x0d, ...[low, high].flatMap(half => [0, 1, 2, 3, 4, 5, 6, 7].map(byte => half * 8 + byte))),
];
/** One float from memory in place of a lane of a vector. */
export const loadLane = (address: WasmCode, vector: WasmCode, lane: number, offsetBytes = 0): WasmCode => [
  address,
  vector,
  simd(0x56, ...at(2, offsetBytes), lane),
];
export const storeLane = (address: WasmCode, vector: WasmCode, lane: number, offsetBytes = 0): WasmCode => [
  address,
  vector,
  simd(0x5a, ...at(2, offsetBytes), lane),
];
/** a * b + c with one rounding or two, which depends on the machine (relaxed SIMD: not available everywhere). */
export const multiplyAdd = (a: WasmCode, b: WasmCode, c: WasmCode): WasmCode => [a, b, c, simd(0x105)];

/** An i32 in all four lanes. */
export const splat = (value: number): WasmCode => [i32(value), simd(0x11)];
/** Lanes of all ones or all zeros. */
export const equalLanes = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x37)];
export const belowLanes = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x3a)];
/** Signed. */
export const greaterLanes = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x3b)];
export const addLanes = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0xae)];
export const shiftRightLanes = (a: WasmCode, bits: number): WasmCode => [a, i32(bits), simd(0xad)];
/** Lanes of `yes` where the mask is all ones, of `no` where it is all zeros. */
export const select = (mask: WasmCode, yes: WasmCode, no: WasmCode): WasmCode => [yes, no, mask, simd(0x52)];
export const subtractLanes = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0xb1)];
export const andBits = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x4e)];
export const orBits = (a: WasmCode, b: WasmCode): WasmCode => [a, b, simd(0x50)];

/** Repeats `body` while `condition` holds after it: at least once. */
export const doWhile = (condition: WasmCode, ...body: WasmCode[]): WasmCode => [0x03, VOID, body, condition, 0x0d, 0, 0x0b];

/** Its body may leave it by `branchIf`. */
export const block = (...body: WasmCode[]): WasmCode => [0x02, VOID, body, 0x0b];
/** Branches to the end of a block or the start of a loop: 0 is the innermost one. */
export const branchIf = (condition: WasmCode, out: number): WasmCode => [condition, 0x0d, ...unsigned(out)];
export const equal = (a: WasmCode, b: WasmCode): WasmCode => [a, b, 0x46];

/** Calls a function of the same module, by its index in the list. */
export const call = (place: number, ...values: WasmCode[]): WasmCode => [values, 0x10, ...unsigned(place)];

function flat(code: WasmCode, out: number[] = []): number[] {
  for (const item of code)
    if (typeof item === 'number') out.push(item);
    else flat(item, out);
  return out;
}

const section = (id: number, content: readonly number[]) => [id, ...unsigned(content.length), ...content];
const vector = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()];
const name = (text: string) => [...unsigned(text.length), ...[...text].map(c => c.charCodeAt(0))];

/** A module that imports `env.memory` and exports the functions. `sharedPages`: the memory is shared and has that maximum. */
export function wasmModule(functions: readonly WasmFunction[], sharedPages = 0): Uint8Array<ArrayBuffer> {
  const limits = sharedPages > 0 ? [3, 1, ...unsigned(sharedPages)] : [0, 1];
  const types = functions.map(f => [0x60, ...vector(Array(f.params).fill([I32])), 0]);
  const bodies = functions.map(f => {
    const locals = vector([
      [...unsigned(f.i32), I32],
      [...unsigned(f.v128), V128],
    ]);
    const code = [...locals, ...flat(f.body), 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(2, vector([[...name('env'), ...name('memory'), 2, ...limits]])),
    ...section(3, vector(functions.map((_, k) => unsigned(k)))),
    ...section(7, vector(functions.map((f, k) => [...name(f.name), 0, ...unsigned(k)]))),
    ...section(10, vector(bodies)),
  ]);
}
