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
  below,
  belowLanes,
  block,
  branchIf,
  type Code,
  call,
  doWhile,
  equal,
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
} from './encode';
import type { WasmSpace } from './space';

/** Rows and columns of the result that stay in registers while k runs. */
export const TILE_ROWS = 4;
export const TILE_COLUMNS = 8;
/**
 * k's in one round of a tile's loop. Between two of them the loop can end: that allows any depth, and keeps V8 from loading all that
 * a round reads before it multiplies, for which there are not enough registers.
 */
const STEPS = 2;
/** Rows' panels of one sweep: they stay in the nearest cache, with room for a panel of columns. */
const SWEEP_BYTES = 16384;

const FLOAT_BYTES = 4;
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
  /** What one k adds to the sums. */
  const step = (k: number): Code => [
    vectors.map(v => set(column(v), load(get(COLUMNS), (k * VECTORS + v) * VECTOR_BYTES))),
    rows.map(row => [
      set(value, loadSplat(get(ROWS), (k * TILE_ROWS + row) * FLOAT_BYTES)),
      vectors.map(v => set(sum(row, v), accumulate(get(sum(row, v)), get(value), get(column(v))))),
    ]),
  ];
  const body: Code = [
    eachRow(row => vectors.map(v => set(sum(row, v), load(get(AT), v * VECTOR_BYTES)))),
    block(
      doWhile(
        get(DEPTH),
        range(STEPS).map(k => [step(k), k + 1 < STEPS ? branchIf(equal(get(DEPTH), i32(k + 1)), 1) : []]),
        set(ROWS, add(get(ROWS), i32(STEPS * TILE_ROWS * FLOAT_BYTES))),
        set(COLUMNS, add(get(COLUMNS), i32(STEPS * TILE_COLUMNS * FLOAT_BYTES))),
        set(DEPTH, subtract(get(DEPTH), i32(STEPS))),
      ),
    ),
    eachRow(row => vectors.map(v => store(get(AT), get(sum(row, v)), v * VECTOR_BYTES))),
  ];
  return { name, params: 5, i32: 1, v128: TILE_ROWS * VECTORS + VECTORS + 1, body };
}

/**
 * All tiles of the result, by the function at that place in the module: the rows' panels pass over one panel of columns after the
 * other. In WebAssembly, because a call from JavaScript costs as much as a small tile.
 */
function sweep(name: string, tilePlace: number): WasmFunction {
  // Panels, their ends and the bytes from one to the next; K; the result and the bytes of a row there.
  const [ROWS, ROWS_END, ROWS_STEP, COLUMNS, COLUMNS_END, COLUMNS_STEP, DEPTH, OUT, STRIDE, ROW, AT] = range(11);
  const step = (local: number, by: Code) => set(local, add(get(local), by));
  const body = doWhile(
    below(get(COLUMNS), get(COLUMNS_END)),
    set(ROW, get(ROWS)),
    set(AT, get(OUT)),
    doWhile(
      below(get(ROW), get(ROWS_END)),
      call(tilePlace, get(ROW), get(COLUMNS), get(DEPTH), get(AT), get(STRIDE)),
      step(ROW, get(ROWS_STEP)),
      range(TILE_ROWS).map(() => step(AT, get(STRIDE))),
    ),
    step(COLUMNS, get(COLUMNS_STEP)),
    step(OUT, i32(TILE_COLUMNS * FLOAT_BYTES)),
  );
  return { name, params: 9, i32: 2, v128: 0, body };
}

/** Low mantissa bits that must be 0, so that the product of two values fits into float32's 24. */
const LOW_BITS = 0xfff;
const MAGNITUDE = 0x7fffffff;
/** Exponent fields from 2^-52 up to 2^63: products neither overflow nor lose bits below the smallest subnormal. */
const LEAST = 75 << 23;
const SPAN = (190 - 75) << 23;

/**
 * Copies panels of so many columns out of a matrix, and clears the lanes of a flag in memory where a value is not one whose products
 * are exact. Several panels at a time read whole runs of memory.
 */
function pack(name: string, columns: number): WasmFunction {
  // The matrix and the bytes of a row there; K; the first panel, the bytes from one to the next and how many; the flag.
  const [FROM, STRIDE, ROWS, TO, STEP, PANELS_LEFT, FLAG, IN, AT, LEFT, VALUE, SIZE, EXACT] = range(13);
  const isZero = equalLanes(get(SIZE), splat(0));
  const ordinary = belowLanes(subtractLanes(get(SIZE), splat(LEAST)), splat(SPAN));
  const short = equalLanes(andBits(get(VALUE), splat(LOW_BITS)), splat(0));
  const move = (vector: number): Code => [
    set(VALUE, load(get(IN), vector * VECTOR_BYTES)),
    store(get(AT), get(VALUE), vector * VECTOR_BYTES),
    set(SIZE, andBits(get(VALUE), splat(MAGNITUDE))),
    set(EXACT, andBits(get(EXACT), andBits(short, orBits(isZero, ordinary)))),
  ];
  const body: Code = [
    set(EXACT, load(get(FLAG))),
    doWhile(
      less(i32(0), get(ROWS)),
      set(IN, get(FROM)),
      set(AT, get(TO)),
      set(LEFT, get(PANELS_LEFT)),
      doWhile(
        less(i32(0), get(LEFT)),
        range(columns / LANES).map(move),
        set(IN, add(get(IN), i32(columns * FLOAT_BYTES))),
        set(AT, add(get(AT), get(STEP))),
        set(LEFT, subtract(get(LEFT), i32(1))),
      ),
      set(FROM, add(get(FROM), get(STRIDE))),
      set(TO, add(get(TO), i32(columns * FLOAT_BYTES))),
      set(ROWS, subtract(get(ROWS), i32(1))),
    ),
    store(get(FLAG), get(EXACT)),
  ];
  return { name, params: 7, i32: 3, v128: 3, body };
}

const rounded = tile('roundedTile', (sum, a, b) => addFloats(sum, multiplyFloats(a, b)));
const exact = tile('exactTile', (sum, a, b) => multiplyAdd(a, b, sum));

/** Panels that are packed at a time: enough for whole lines of the cache, few enough to be written side by side. */
const PANELS = 16;
const packs = [pack('packRows', TILE_ROWS), pack('packColumns', TILE_COLUMNS)];

/** A tile and its sweep for every machine; those for machines that multiply and add in one go come after all others. */
const everywhere = [rounded, sweep('plain', 0), ...packs];
const whereFused = [exact, sweep('fused', everywhere.length)];

type Sweep = (
  ...of: [
    ...[rows: number, rowsEnd: number, rowPanelBytes: number],
    ...[columns: number, columnsEnd: number, columnPanelBytes: number],
    ...[depth: number, out: number, strideBytes: number],
  ]
) => void;
type Pack = (from: number, strideBytes: number, rows: number, to: number, panelBytes: number, panels: number, flag: number) => void;

interface Exports {
  plain: Sweep;
  fused?: Sweep;
  packRows: Pack;
  packColumns: Pack;
}

/** A place that becomes larger as it must. */
class Place {
  private floats: Float32Array = new Float32Array(0);

  constructor(private readonly space: WasmSpace) {}

  /** The place with room for so many floats, their values undefined; null when the memory is full. */
  take(count: number): Float32Array | null {
    if (count > this.floats.length) {
      const length = 2 ** Math.ceil(Math.log2(count));
      const place = this.space.reserve(bytes(length));
      if (!place) return null;
      this.floats = new Float32Array(place.buffer, place.offset, length);
    }
    return this.floats;
  }

  /** The values themselves where the functions reach them, else a copy; null when the memory is full. */
  hold(values: Float32Array): Float32Array | null {
    if (this.space.owns(values)) return values;
    const held = this.take(values.length);
    held?.set(values);
    return held;
  }
}

/** Rows of values that follow one another, and the elements from one row to the next. */
export interface Matrix {
  values: Float32Array;
  stride: number;
}

/** Addresses of the first panel and behind the last, and bytes from one to the next. */
interface Panels {
  start: number;
  end: number;
  step: number;
}

/** One of the two inputs, packed. */
class Side {
  private readonly matrix: Place;
  private readonly panels: Place;

  constructor(
    space: WasmSpace,
    private readonly width: number,
    private readonly packPanels: Pack,
  ) {
    this.matrix = new Place(space);
    this.panels = new Place(space);
  }

  /** The first `even` columns of k rows; `flag` is the address of `pack`'s. null when the memory is full. */
  pack({ values, stride }: Matrix, k: number, even: number, flag: number): Panels | null {
    // Not a power of two, or all panels would share one part of the cache.
    const step = bytes(k * this.width) + CACHE_LINE_BYTES;
    const count = even / this.width;
    const matrix = this.matrix.hold(values);
    const panels = this.panels.take((step * count) / FLOAT_BYTES);
    if (!matrix || !panels) return null;
    const start = panels.byteOffset;
    for (let panel = 0; panel < count; panel += PANELS) {
      const from = matrix.byteOffset + bytes(panel * this.width);
      this.packPanels(from, bytes(stride), k, start + panel * step, step, Math.min(PANELS, count - panel), flag);
    }
    return { start, end: start + count * step, step };
  }
}

export class MatmulModule {
  private readonly functions: Exports;
  private readonly flag: Place;
  private readonly result: Place;
  private readonly rows: Side;
  private readonly columns: Side;

  constructor(space: WasmSpace) {
    this.functions = space.instance(everywhere, whereFused) as unknown as Exports;
    const { packRows, packColumns } = this.functions;
    this.flag = new Place(space);
    this.result = new Place(space);
    this.rows = new Side(space, TILE_ROWS, packRows);
    this.columns = new Side(space, TILE_COLUMNS, packColumns);
  }

  /**
   * Adds to the first `evenM` rows and `evenN` columns: multiples of TILE_ROWS and TILE_COLUMNS. k is at least 1. Arrays that lie
   * in the module's memory are used where they are.
   * @returns false, and `out` is as it was, when the memory is full.
   */
  multiply(stationary: Matrix, moving: Matrix, k: number, n: number, out: Float32Array, evenM: number, evenN: number): boolean {
    const flag = this.flag.take(LANES);
    const result = this.result.hold(out);
    if (!flag || !result) return false;
    const lanes = new Int32Array(flag.buffer, flag.byteOffset, LANES).fill(-1);
    const rows = this.rows.pack(stationary, k, evenM, flag.byteOffset);
    const columns = this.columns.pack(moving, k, evenN, flag.byteOffset);
    if (!rows || !columns) return false;
    const { plain, fused } = this.functions;
    const sweep = fused && lanes.every(lane => lane === -1) ? fused : plain;
    const swept = Math.max(1, Math.floor(SWEEP_BYTES / rows.step));
    for (let start = rows.start, row = 0; start < rows.end; start += swept * rows.step, row += swept * TILE_ROWS) {
      const end = Math.min(rows.end, start + swept * rows.step);
      sweep(start, end, rows.step, columns.start, columns.end, columns.step, k, result.byteOffset + bytes(row * n), bytes(n));
    }
    if (result !== out) out.set(result.subarray(0, out.length));
    return true;
  }
}

const CACHE_LINE_BYTES = 64;
const bytes = (floats: number) => floats * FLOAT_BYTES;
