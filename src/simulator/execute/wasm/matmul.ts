/**
 * `out[M, N] += stationary[K, M].T @ moving[K, N]` with four lanes at once: the module and its memory. Both inputs are packed
 * into panels first, so that the inner loop reads forwards. A lane adds its products in the order of k, as the reference does.
 *
 * Where the machine multiplies and adds in one go it does so, but only for inputs whose every product is exact in float32
 * (bfloat16, float16, float8 of ordinary size): there one rounding and two give the same number.
 */
import {
  add,
  addFloats,
  andBits,
  belowLanes,
  type Code,
  doWhile,
  equalLanes,
  get,
  i32,
  less,
  load,
  loadSplat,
  multiplyAdd,
  multiplyFloats,
  orBits,
  set,
  splat,
  store,
  subtract,
  subtractLanes,
  type WasmFunction,
  wasmModule,
} from './encode';

/** Rows and columns of the result that stay in registers while k runs. */
export const TILE_ROWS = 4;
export const TILE_COLUMNS = 8;

const FLOAT_BYTES = 4;
const PAGE_BYTES = 65536;
const LANES = 4;
const VECTOR_BYTES = LANES * FLOAT_BYTES;
const VECTORS = TILE_COLUMNS / LANES;

const range = (count: number) => [...Array(count).keys()];

/** One tile of the result: a panel of rows times a panel of columns. */
function tile(name: string, accumulate: (sum: Code, a: Code, b: Code) => Code): WasmFunction {
  // Addresses of a panel [K, TILE_ROWS] and one [K, TILE_COLUMNS], K, the tile's place in the result, the bytes of a row there.
  const [ROWS, COLUMNS, DEPTH, OUT, STRIDE, AT] = range(6);
  const sum = (row: number, vector: number) => AT + 1 + row * VECTORS + vector;
  const column = (vector: number) => sum(TILE_ROWS, vector);
  const value = column(VECTORS);
  const rows = range(TILE_ROWS);
  const vectors = range(VECTORS);
  /** AT is each row's place in the result. */
  const eachRow = (each: (row: number) => Code): Code => [
    set(AT, get(OUT)),
    rows.map(row => [each(row), row + 1 < TILE_ROWS ? set(AT, add(get(AT), get(STRIDE))) : []]),
  ];
  const body: Code = [
    eachRow(row => vectors.map(v => set(sum(row, v), load(get(AT), v * VECTOR_BYTES)))),
    doWhile(
      less(i32(0), get(DEPTH)),
      vectors.map(v => set(column(v), load(get(COLUMNS), v * VECTOR_BYTES))),
      rows.map(row => [
        set(value, loadSplat(get(ROWS), row * FLOAT_BYTES)),
        vectors.map(v => set(sum(row, v), accumulate(get(sum(row, v)), get(value), get(column(v))))),
      ]),
      set(ROWS, add(get(ROWS), i32(TILE_ROWS * FLOAT_BYTES))),
      set(COLUMNS, add(get(COLUMNS), i32(TILE_COLUMNS * FLOAT_BYTES))),
      set(DEPTH, subtract(get(DEPTH), i32(1))),
    ),
    eachRow(row => vectors.map(v => store(get(AT), get(sum(row, v)), v * VECTOR_BYTES))),
  ];
  return { name, params: 5, i32: 1, v128: TILE_ROWS * VECTORS + VECTORS + 1, body };
}

/** Low mantissa bits that must be 0, so that the product of two values fits into float32's 24. */
const LOW_BITS = 0xfff;
const MAGNITUDE = 0x7fffffff;
/** Exponent fields from 2^-52 up to 2^63: products neither overflow nor lose bits below the smallest subnormal. */
const LEAST = 75 << 23;
const SPAN = (190 - 75) << 23;

/** Copies one panel out of a matrix, and clears the lanes of a flag in memory where a value is not one whose products are exact. */
function pack(name: string, columns: number): WasmFunction {
  const [FROM, STRIDE, ROWS, TO, FLAG, VALUE, SIZE, EXACT] = range(8);
  const isZero = equalLanes(get(SIZE), splat(0));
  const ordinary = belowLanes(subtractLanes(get(SIZE), splat(LEAST)), splat(SPAN));
  const short = equalLanes(andBits(get(VALUE), splat(LOW_BITS)), splat(0));
  const move = (vector: number): Code => [
    set(VALUE, load(get(FROM), vector * VECTOR_BYTES)),
    store(get(TO), get(VALUE), vector * VECTOR_BYTES),
    set(SIZE, andBits(get(VALUE), splat(MAGNITUDE))),
    set(EXACT, andBits(get(EXACT), andBits(short, orBits(isZero, ordinary)))),
  ];
  const body: Code = [
    set(EXACT, load(get(FLAG))),
    doWhile(
      less(i32(0), get(ROWS)),
      range(columns / LANES).map(move),
      set(FROM, add(get(FROM), get(STRIDE))),
      set(TO, add(get(TO), i32(columns * FLOAT_BYTES))),
      set(ROWS, subtract(get(ROWS), i32(1))),
    ),
    store(get(FLAG), get(EXACT)),
  ];
  return { name, params: 5, i32: 0, v128: 3, body };
}

const plain = tile('tile', (sum, a, b) => addFloats(sum, multiplyFloats(a, b)));
const fused = tile('fused', (sum, a, b) => multiplyAdd(a, b, sum));
const packs = [pack('packRows', TILE_ROWS), pack('packColumns', TILE_COLUMNS)];

type Tile = (rows: number, columns: number, depth: number, out: number, strideBytes: number) => void;
type Pack = (from: number, strideBytes: number, rows: number, to: number, flag: number) => void;

interface Exports {
  tile: Tile;
  fused?: Tile;
  packRows: Pack;
  packColumns: Pack;
}

/** Where things lie in the module's memory, in floats; the flag of `pack` first. */
const FIRST = LANES;

export class MatmulModule {
  private readonly memory = new WebAssembly.Memory({ initial: 1 });
  private readonly functions: Exports;
  private floats = new Float32Array(this.memory.buffer);

  constructor() {
    const both = wasmModule([plain, ...packs, fused]);
    const bytes = WebAssembly.validate(both) ? both : wasmModule([plain, ...packs]);
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory: this.memory } });
    this.functions = instance.exports as unknown as Exports;
  }

  /** Adds to the first `evenM` rows and `evenN` columns: multiples of TILE_ROWS and TILE_COLUMNS. k is at least 1. */
  multiply(
    stationary: Float32Array,
    moving: Float32Array,
    k: number,
    m: number,
    n: number,
    out: Float32Array,
    evenM: number,
    evenN: number,
  ) {
    const { packRows, packColumns, tile, fused } = this.functions;
    const [s, v, o] = [FIRST, FIRST + k * m, FIRST + k * (m + n)];
    const [rows, columns] = [o + m * n, o + m * n + k * evenM];
    this.reserve(columns + k * evenN);
    const { floats } = this;
    new Int32Array(floats.buffer, 0, LANES).fill(-1);
    floats.set(stationary, s);
    floats.set(moving, v);
    floats.set(out, o);
    for (let i = 0; i < evenM; i += TILE_ROWS) packRows(bytes(s + i), bytes(m), k, bytes(rows + i * k), 0);
    for (let j = 0; j < evenN; j += TILE_COLUMNS) packColumns(bytes(v + j), bytes(n), k, bytes(columns + j * k), 0);
    const exact = new Int32Array(floats.buffer, 0, LANES).every(lane => lane === -1);
    const one = exact && fused ? fused : tile;
    for (let j = 0; j < evenN; j += TILE_COLUMNS)
      for (let i = 0; i < evenM; i += TILE_ROWS) one(bytes(rows + i * k), bytes(columns + j * k), k, bytes(o + i * n + j), bytes(n));
    out.set(floats.subarray(o, o + m * n));
  }

  private reserve(count: number) {
    const missing = bytes(count) - this.memory.buffer.byteLength;
    if (missing <= 0) return;
    this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.floats = new Float32Array(this.memory.buffer);
  }
}

const bytes = (floats: number) => floats * FLOAT_BYTES;
