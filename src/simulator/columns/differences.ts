/**
 * A column stored as its differences from another one, such as ends from starts, because most durations occur many times. One or two
 * bytes per row are an index in a table of all differences. Exact: if base plus difference would not give the value, `differences`
 * returns null.
 */
import type { Column } from './container';

/** The column from which the differences are counted. */
export interface BaseColumn {
  at(row: number): number;
  readonly values: ArrayLike<number>;
}

type Codes = Uint8Array | Uint16Array;

/** Most distinct differences: the range of a two-byte index. */
const MOST = 2 ** 16;
/** With fewer rows per table entry, the table takes more memory than it saves. */
const ROWS_PER_ENTRY = 8;

export class DifferenceColumn {
  // one field per type, because reading several array types in one place is slow
  private readonly codes8: Uint8Array | null;
  private readonly codes16: Uint16Array;

  constructor(
    readonly base: BaseColumn,
    private readonly codes: Codes,
    private readonly table: Float64Array,
  ) {
    this.codes8 = codes instanceof Uint8Array ? codes : null;
    this.codes16 = codes instanceof Uint16Array ? codes : new Uint16Array(0);
  }

  get bytes(): number {
    return this.codes.byteLength + this.table.byteLength;
  }

  at(row: number): number {
    return this.base.at(row) + this.difference(row);
  }

  /** The row's value minus that of the base column. */
  difference(row: number): number {
    return this.table[this.codes8 ? this.codes8[row] : this.codes16[row]];
  }

  /** Writes every row into `out`, which is as long as the column was. */
  fill<T extends Column>(out: T): T {
    const { values } = this.base;
    for (let row = 0; row < out.length; row++) out[row] = values[row] + this.difference(row);
    return out;
  }
}

/** null: there are too many distinct differences, or sums would be rounded. */
export function differences(column: ArrayLike<number>, base: BaseColumn): DifferenceColumn | null {
  const most = Math.min(MOST, Math.floor(column.length / ROWS_PER_ENTRY));
  const known = new Map<number, number>();
  const codes = new Uint16Array(column.length);
  for (let row = 0; row < column.length; row++) {
    const from = base.at(row);
    const difference = column[row] - from;
    if (!Object.is(from + difference, column[row])) return null;
    const code = known.get(difference) ?? known.size;
    if (code === known.size && known.set(difference, code).size > most) return null;
    codes[row] = code;
  }
  return new DifferenceColumn(base, known.size <= 2 ** 8 ? Uint8Array.from(codes) : codes, Float64Array.from(known.keys()));
}
