/**
 * `out[M, N] += stationary[K, M].T @ moving[K, N]` with four lanes at once. Both inputs are packed into panels first
 * (`panels.ts`), so that the inner loop reads forwards. A lane adds its products in the order of k, as the reference does.
 *
 * If the machine has a fused multiply-add it is used, but only for inputs whose products are all exact in float32
 * (bfloat16, float16, float8 of ordinary size): there one rounding and two give the same number.
 */
import {
  add,
  addFloats,
  below,
  block,
  branchIf,
  call,
  doWhile,
  equal,
  get,
  i32,
  load,
  loadSplat,
  multiplyAdd,
  multiplyFloats,
  set,
  store,
  subtract,
  type WasmCode,
  type WasmFunction,
} from './encode';
import { GrowingArea, type Pack, type Panels, packs, Side, type StridedMatrix, TILE_COLUMNS, TILE_ROWS } from './panels';
import { MOST_PIECES, offerShare, type Pieces, type SharedWork, Sharing } from './sharing';
import type { WasmSpace } from './space';

/**
 * Values of k in one round of a tile's loop. The loop can end between two of them. That allows any depth, and prevents V8 from loading
 * all operands of a round before it multiplies, for which there are not enough registers.
 */
const STEPS = 2;
/** Bytes of the rows' panels of one sweep: they stay in the nearest cache, together with a panel of columns. */
const SWEEP_BYTES = 16384;
/** Smaller products finish before another thread could start on them. */
const LEAST_SHARED = 2 ** 21;

const FLOAT_BYTES = 4;
const LANES = 4;
const VECTOR_BYTES = LANES * FLOAT_BYTES;
const VECTORS = TILE_COLUMNS / LANES;

const range = (count: number) => [...Array(count).keys()];

/** One tile of the result: a panel of rows times a panel of columns. */
function tile(name: string, accumulate: (sum: WasmCode, a: WasmCode, b: WasmCode) => WasmCode): WasmFunction {
  // Addresses of a panel [K, TILE_ROWS] and one [K, TILE_COLUMNS], K, the tile's place in the result, the bytes of a row there.
  const [ROWS, COLUMNS, DEPTH, OUT, STRIDE, AT] = range(6);
  const sum = (row: number, vector: number) => AT + 1 + row * VECTORS + vector;
  const column = (vector: number) => sum(TILE_ROWS, vector);
  const value = column(VECTORS);
  const rows = range(TILE_ROWS);
  const vectors = range(VECTORS);
  /** AT is each row's place in the result. */
  const eachRow = (each: (row: number) => WasmCode): WasmCode => [
    set(AT, get(OUT)),
    rows.map(row => [each(row), row + 1 < TILE_ROWS ? set(AT, add(get(AT), get(STRIDE))) : []]),
  ];
  /** The instructions that add one k to the sums. */
  const step = (k: number): WasmCode => [
    vectors.map(v => set(column(v), load(get(COLUMNS), (k * VECTORS + v) * VECTOR_BYTES))),
    rows.map(row => [
      set(value, loadSplat(get(ROWS), (k * TILE_ROWS + row) * FLOAT_BYTES)),
      vectors.map(v => set(sum(row, v), accumulate(get(sum(row, v)), get(value), get(column(v))))),
    ]),
  ];
  const body: WasmCode = [
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
  const step = (local: number, by: WasmCode) => set(local, add(get(local), by));
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

const rounded = tile('roundedTile', (sum, a, b) => addFloats(sum, multiplyFloats(a, b)));
const exact = tile('exactTile', (sum, a, b) => multiplyAdd(a, b, sum));

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
interface Exports {
  plain: Sweep;
  fused?: Sweep;
  packRows: Pack;
  packColumns: Pack;
}

/** A sweep over some rows' panels, `job` as `multiply` writes it. */
function pieces({ plain, fused }: Exports): Pieces {
  return (piece, job) => {
    const [isExact, rows, rowsEnd, rowsStep, columns, columnsEnd, columnsStep, depth, out, stride, panels] = job;
    const start = rows + piece * panels * rowsStep;
    const end = Math.min(rowsEnd, start + panels * rowsStep);
    const sweep = isExact && fused ? fused : plain;
    sweep(start, end, rowsStep, columns, columnsEnd, columnsStep, depth, out + piece * panels * TILE_ROWS * stride, stride);
  };
}

/** The same module in another thread: helps with its products, and never comes back. */
export function attend({ module, memory, words }: SharedWork): Promise<never> {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return new Sharing(pieces(exports as unknown as Exports), words).attend();
}

export class MatmulModule {
  private readonly functions: Exports;
  private readonly result: GrowingArea;
  private readonly rows: Side;
  private readonly columns: Side;
  private readonly pieces: Pieces;
  private readonly module: WebAssembly.Module;
  private sharing: Sharing | null = null;

  constructor(private readonly space: WasmSpace) {
    this.functions = space.instance(everywhere, whereFused) as unknown as Exports;
    this.module = space.modules[space.modules.length - 1];
    const { packRows, packColumns } = this.functions;
    this.result = new GrowingArea(space);
    this.rows = new Side(space, TILE_ROWS, packRows);
    this.columns = new Side(space, TILE_COLUMNS, packColumns);
    this.pieces = pieces(this.functions);
  }

  /**
   * Adds to the first `evenM` rows and `evenN` columns: multiples of TILE_ROWS and TILE_COLUMNS. k is at least 1. Arrays that lie
   * in the module's memory are used where they are.
   * @returns false, and `out` is as it was, when the memory is full.
   */
  multiply(
    stationary: StridedMatrix,
    moving: StridedMatrix,
    k: number,
    n: number,
    out: Float32Array,
    evenM: number,
    evenN: number,
  ): boolean {
    const result = this.result.hold(out);
    const rows = this.rows.pack(stationary, k, evenM);
    const columns = this.columns.pack(moving, k, evenN);
    if (!result || !rows || !columns) return false;
    const isExact = rows.isShort && columns.isShort;
    const count = evenM / TILE_ROWS;
    const panels = Math.max(1, Math.floor(SWEEP_BYTES / rows.step), Math.ceil(count / MOST_PIECES));
    const job = [Number(isExact), ...ends(rows), ...ends(columns), k, result.byteOffset, bytes(n), panels];
    this.carryOut(Math.ceil(count / panels), job, k * evenM * evenN >= LEAST_SHARED);
    if (result !== out) out.set(result.subarray(0, out.length));
    return true;
  }

  private carryOut(count: number, job: number[], large: boolean): void {
    if (large) {
      this.sharing ??= this.offer();
      this.sharing.run(count, job);
    } else {
      const words = Int32Array.from(job);
      for (let piece = 0; piece < count; piece++) this.pieces(piece, words);
    }
  }

  private offer(): Sharing {
    const sharing = new Sharing(this.pieces);
    offerShare({ module: this.module, memory: this.space.memory, words: sharing.shared });
    return sharing;
  }
}

const ends = ({ start, end, step }: Panels) => [start, end, step];
const bytes = (floats: number) => floats * FLOAT_BYTES;
