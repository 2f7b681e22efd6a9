/**
 * A column held as its differences from another: ends from starts, where most durations occur many times. One or two bytes per
 * row name the difference in a table of all that occur. Exact: where a sum would not be the number, there is no such column.
 */
import type { Column } from './container';

/** What the differences are counted from. */
export interface BaseColumn {
  at(row: number): number;
  readonly values: ArrayLike<number>;
}

type Codes = Uint8Array | Uint16Array;

/** Most different differences: what two bytes name. */
const MOST = 2 ** 16;
/** A table that has more than one entry for so many rows takes more than it saves. */
const ROWS_PER_ENTRY = 8;

export class DifferenceColumn {
  // by type: reading a row must not meet several types of array in one place
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

  /** Of a row, from the other column's. */
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

/** null: too many different ones, or sums that would be rounded. */
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
