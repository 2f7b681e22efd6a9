/**
 * The inputs of matrix products packed into panels: rows of as many columns as a tile of the result has, one after the other. Packing also
 * finds out whether all products will be exact.
 */
import {
  add,
  andBits,
  belowLanes,
  doWhile,
  equalLanes,
  get,
  i32,
  less,
  load,
  orBits,
  set,
  splat,
  store,
  subtract,
  subtractLanes,
  type WasmCode,
  type WasmFunction,
} from './encode';
import type { WasmSpace } from './space';

/** Rows and columns of the result that stay in registers while k runs. */
export const TILE_ROWS = 4;
export const TILE_COLUMNS = 8;

const FLOAT_BYTES = 4;
const LANES = 4;
const VECTOR_BYTES = LANES * FLOAT_BYTES;
const CACHE_LINE_BYTES = 64;

const range = (count: number) => [...Array(count).keys()];
const bytes = (floats: number) => floats * FLOAT_BYTES;

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
  const move = (vector: number): WasmCode => [
    set(VALUE, load(get(IN), vector * VECTOR_BYTES)),
    store(get(AT), get(VALUE), vector * VECTOR_BYTES),
    set(SIZE, andBits(get(VALUE), splat(MAGNITUDE))),
    set(EXACT, andBits(get(EXACT), andBits(short, orBits(isZero, ordinary)))),
  ];
  const body: WasmCode = [
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

/** Panels that are packed at a time: enough for whole lines of the cache, few enough to be written side by side. */
const PANELS = 16;
/** `packRows` and `packColumns`. */
export const packs = [pack('packRows', TILE_ROWS), pack('packColumns', TILE_COLUMNS)];

export type Pack = (from: number, strideBytes: number, rows: number, to: number, panelBytes: number, panels: number, flag: number) => void;

/** An area that becomes larger as it must. */
export class GrowingArea {
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
export interface StridedMatrix {
  values: Float32Array;
  stride: number;
  /** Of the array around the values: as long as it is the same, so are they. Absent: they may change. */
  version?: number;
}

/** Addresses of the first panel and behind the last, and bytes from one to the next. */
export interface Panels {
  start: number;
  end: number;
  step: number;
  /** Every product with values of the other side of which that is true as well is exact in float32. */
  isShort: boolean;
}

/** Inputs that are kept packed: loops come back to the same tiles of an argument. */
const KEPT = 32;

/** One of the two inputs, packed. */
export class Side {
  private readonly flag: GrowingArea;
  private readonly matrix: GrowingArea;
  private readonly panels: GrowingArea;
  private readonly kept = new Map<string, { panels: Panels; place: GrowingArea }>();

  constructor(
    private readonly space: WasmSpace,
    private readonly width: number,
    private readonly packPanels: Pack,
  ) {
    this.flag = new GrowingArea(space);
    this.matrix = new GrowingArea(space);
    this.panels = new GrowingArea(space);
  }

  /** The first `even` columns of k rows; null when the memory is full. */
  pack(matrix: StridedMatrix, k: number, even: number): Panels | null {
    if (matrix.version === undefined) return this.packTo(this.panels, matrix, k, even);
    const key = [matrix.version, matrix.values.byteOffset, matrix.stride, k, even].join(' ');
    const known = this.kept.get(key);
    if (known) return known.panels;
    const place = this.oldest() ?? new GrowingArea(this.space);
    const panels = this.packTo(place, matrix, k, even);
    if (panels) this.kept.set(key, { panels, place });
    return panels;
  }

  /** A place of what was packed first; null while there may be more. */
  private oldest(): GrowingArea | null {
    if (this.kept.size < KEPT) return null;
    const [[key, { place }]] = this.kept;
    this.kept.delete(key);
    return place;
  }

  private packTo(place: GrowingArea, { values, stride }: StridedMatrix, k: number, even: number): Panels | null {
    // Not a power of two, or all panels would share one part of the cache.
    const step = bytes(k * this.width) + CACHE_LINE_BYTES;
    const count = even / this.width;
    const flag = this.flag.take(LANES);
    const matrix = this.matrix.hold(values);
    const panels = place.take((step * count) / FLOAT_BYTES);
    if (!flag || !matrix || !panels) return null;
    const lanes = new Int32Array(flag.buffer, flag.byteOffset, LANES).fill(-1);
    const start = panels.byteOffset;
    for (let panel = 0; panel < count; panel += PANELS) {
      const from = matrix.byteOffset + bytes(panel * this.width);
      this.packPanels(from, bytes(stride), k, start + panel * step, step, Math.min(PANELS, count - panel), flag.byteOffset);
    }
    return { start, end: start + count * step, step, isShort: lanes.every(lane => lane === -1) };
  }
}
