/** Blocks of elements of four bytes copied within the modules' memory (`scratch.ts`): rows of elements a step apart. Bits stay as they are. */
import {
  add,
  and,
  below,
  block,
  branchIf,
  doWhile,
  equal,
  get,
  i32,
  load,
  loadWord,
  set,
  store,
  storeWord,
  subtract,
  type WasmCode,
  type WasmFunction,
} from './encode';
import type { WasmSpace } from './space';

const WORD_BYTES = 4;
const VECTOR_BYTES = 16;

/** Position of a block in an array, in elements. */
export interface BlockWalk {
  /** The first element. */
  at: number;
  /** From one row to the next, and from one column to the next. */
  row: number;
  step: number;
}

type Words = Float32Array | Int32Array | Uint32Array;

const step = (local: number, by: WasmCode) => set(local, add(get(local), by));

/** Rows whose elements follow one another on both sides: addresses, bytes from row to row, bytes of a row, rows. */
function rows(): WasmFunction {
  const [FROM, FROM_ROW, TO, TO_ROW, SIZE, ROWS, IN, OUT, END] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  /** As many as fit before END. */
  const upToEnd = (sizeBytes: number, copy: WasmCode) =>
    block(
      branchIf(equal(below(get(OUT), get(END)), i32(0)), 0),
      doWhile(below(get(OUT), get(END)), copy, step(IN, i32(sizeBytes)), step(OUT, i32(sizeBytes))),
    );
  const body = doWhile(
    get(ROWS),
    set(IN, get(FROM)),
    set(OUT, get(TO)),
    // Whole vectors first, then the rest of the row.
    set(END, add(get(TO), and(get(SIZE), i32(-VECTOR_BYTES)))),
    upToEnd(VECTOR_BYTES, store(get(OUT), load(get(IN)))),
    set(END, add(get(TO), get(SIZE))),
    upToEnd(WORD_BYTES, storeWord(get(OUT), loadWord(get(IN)))),
    step(FROM, get(FROM_ROW)),
    step(TO, get(TO_ROW)),
    set(ROWS, subtract(get(ROWS), i32(1))),
  );
  return { name: 'rows', params: 6, i32: 3, v128: 0, body };
}

/** Any steps, in bytes: address, row, step of either side, columns, rows. */
function elements(): WasmFunction {
  const [FROM, FROM_ROW, FROM_STEP, TO, TO_ROW, TO_STEP, COLUMNS, ROWS, IN, OUT, LEFT] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const body = doWhile(
    get(ROWS),
    set(IN, get(FROM)),
    set(OUT, get(TO)),
    set(LEFT, get(COLUMNS)),
    doWhile(
      get(LEFT),
      storeWord(get(OUT), loadWord(get(IN))),
      step(IN, get(FROM_STEP)),
      step(OUT, get(TO_STEP)),
      set(LEFT, subtract(get(LEFT), i32(1))),
    ),
    step(FROM, get(FROM_ROW)),
    step(TO, get(TO_ROW)),
    set(ROWS, subtract(get(ROWS), i32(1))),
  );
  return { name: 'elements', params: 8, i32: 3, v128: 0, body };
}

interface Exports {
  rows(from: number, fromRow: number, to: number, toRow: number, sizeBytes: number, rows: number): void;
  elements(
    ...of: [
      ...[from: number, fromRow: number, fromStep: number],
      ...[to: number, toRow: number, toStep: number],
      ...[columns: number, rows: number],
    ]
  ): void;
}

export class CopyModule {
  private readonly functions: Exports;

  constructor(private readonly space: WasmSpace) {
    this.functions = space.instance([rows(), elements()]) as unknown as Exports;
  }

  /** Whether `block` can copy between them. */
  reaches(from: Words, to: Words): boolean {
    return this.space.owns(from) && this.space.owns(to);
  }

  /** At least one row and column. The caller ensures that all of them are inside the arrays. */
  block(from: Words, source: BlockWalk, to: Words, target: BlockWalk, rows: number, columns: number): void {
    const [read, written] = [from.byteOffset + bytes(source.at), to.byteOffset + bytes(target.at)];
    const [readRow, writtenRow] = [bytes(source.row), bytes(target.row)];
    if (source.step === 1 && target.step === 1) this.functions.rows(read, readRow, written, writtenRow, bytes(columns), rows);
    else this.functions.elements(read, readRow, bytes(source.step), written, writtenRow, bytes(target.step), columns, rows);
  }
}

const bytes = (elements: number) => elements * WORD_BYTES;
