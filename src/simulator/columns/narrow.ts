/**
 * A column of numbers in a few bytes each, with random access: a base per block of rows, and per row a code of 8, 16 or 32 bits that is
 * added to it. The column's common value (-1 for none, 0) has a code of its own. The few numbers far from their block's base are stored
 * in a separate table. Exact: `narrowed` returns null for a column that would lose precision.
 */
import type { Column } from './container';
import { lowerBound } from './search';

type Codes = Uint8Array | Uint16Array | Uint32Array;

/** Rows that share a base: 2 ** SHIFT. */
const SHIFT = 8;
const BLOCK = 1 << SHIFT;
const CODES = [Uint8Array, Uint16Array, Uint32Array] as const;
/** Bytes for the row and value of a number in the separate table. */
const ASIDE_BYTES = 12;
/** One of so many blocks is examined to choose the width. */
const SAMPLE = 16;
const COMMON_CODE = 0;

export class NarrowColumn {
  // The codes again, one field per type, because reading several array types in one place is slow.
  private readonly codes8: Uint8Array | null;
  private readonly codes16: Uint16Array | null;
  private readonly codes32: Uint32Array;
  private readonly asideCode: number;
  private readonly unitsPerStep: number;

  constructor(
    /** Bases of the blocks, in steps. */
    private readonly bases: Float64Array,
    private readonly codes: Codes,
    private readonly common: number,
    stepsPerUnit: number,
    private readonly asideRows: Uint32Array,
    private readonly asideValues: Float64Array,
  ) {
    this.codes8 = codes instanceof Uint8Array ? codes : null;
    this.codes16 = codes instanceof Uint16Array ? codes : null;
    this.codes32 = codes instanceof Uint32Array ? codes : new Uint32Array(0);
    this.asideCode = asideCode(codes);
    this.unitsPerStep = 1 / stepsPerUnit;
  }

  get bytes(): number {
    return this.bases.byteLength + this.codes.byteLength + this.asideRows.byteLength + this.asideValues.byteLength;
  }

  at(row: number): number {
    const code = this.codes8 ? this.codes8[row] : this.codes16 ? this.codes16[row] : this.codes32[row];
    if (code === COMMON_CODE) return this.common;
    if (code === this.asideCode) return this.asideValues[lowerBound(this.asideRows, row)];
    return (this.bases[row >>> SHIFT] + code - 1) * this.unitsPerStep;
  }

  /** Writes every row into `out`, which is as long as the column was. */
  fill<T extends Column>(out: T): T {
    const scratch = new Float64Array(BLOCK);
    for (let from = 0; from < out.length; from += BLOCK) {
      const codes = this.codes.subarray(from, from + BLOCK);
      this.decode(codes, this.bases[from / BLOCK], scratch);
      out.set(scratch.subarray(0, codes.length), from);
    }
    for (let k = 0; k < this.asideRows.length; k++) out[this.asideRows[k]] = this.asideValues[k];
    return out;
  }

  private decode(codes: Codes, base: number, into: Float64Array) {
    const { common, unitsPerStep } = this;
    // set() converts to doubles, so the loop sees one array type
    into.set(codes);
    for (let k = 0; k < codes.length; k++) into[k] = into[k] === COMMON_CODE ? common : (base + into[k] - 1) * unitsPerStep;
  }
}

const asideCode = (codes: Codes) => 2 ** (8 * codes.BYTES_PER_ELEMENT) - 1;

/**
 * @param stepsPerUnit a power of two: the finest step in the column (1024: times of the profile's clock)
 * @returns null when the column has finer steps, or would not become smaller
 */
export function narrowed(column: Column, common: number, stepsPerUnit = 1): NarrowColumn | null {
  const bytes = CODES.map(() => 0);
  for (let block = 0; block * BLOCK < column.length; block += SAMPLE) {
    const steps = stepsOf(column, block, common, stepsPerUnit);
    if (!steps) return null;
    for (const [k, { BYTES_PER_ELEMENT }] of CODES.entries()) {
      const { aside } = bestBase(steps, 2 ** (8 * BYTES_PER_ELEMENT) - 3);
      bytes[k] += BLOCK * BYTES_PER_ELEMENT + aside * ASIDE_BYTES;
    }
  }
  const width = bytes.indexOf(Math.min(...bytes));
  return encode(column, common, stepsPerUnit, new CODES[width](column.length));
}

function encode(column: Column, common: number, stepsPerUnit: number, codes: Codes): NarrowColumn | null {
  const blocks = Math.ceil(column.length / BLOCK);
  const bases = new Float64Array(blocks);
  const asideRows: number[] = [];
  const most = asideCode(codes) - 1;
  for (let block = 0; block < blocks; block++) {
    const steps = stepsOf(column, block, common, stepsPerUnit);
    if (!steps) return null;
    const { base } = bestBase(steps, most - 1);
    bases[block] = base;
    for (let k = 0; k < steps.length; k++) {
      const row = block * BLOCK + k;
      const code = steps[k] - base + 1;
      if (Number.isNaN(steps[k])) codes[row] = COMMON_CODE;
      else if (code >= 1 && code <= most) codes[row] = code;
      else {
        codes[row] = asideCode(codes);
        asideRows.push(row);
      }
    }
  }
  const rows = Uint32Array.from(asideRows);
  const values = Float64Array.from(rows, row => column[row]);
  const made = new NarrowColumn(bases, codes, common, stepsPerUnit, rows, values);
  return made.bytes < column.byteLength ? made : null;
}

/** A block's numbers in whole steps, NaN for the common value; null when they are not whole. */
function stepsOf(column: Column, block: number, common: number, stepsPerUnit: number): Float64Array | null {
  const steps = Float64Array.from(column.subarray(block * BLOCK, (block + 1) * BLOCK));
  for (let k = 0; k < steps.length; k++) {
    if (Object.is(steps[k], common)) steps[k] = Number.NaN;
    else {
      steps[k] *= stepsPerUnit;
      if (!Number.isSafeInteger(steps[k]) || Object.is(steps[k], -0)) return null;
    }
  }
  return steps;
}

/** The base from which codes up to `range` reach most numbers of the block, and the count of numbers that they do not reach. */
function bestBase(steps: Float64Array, range: number): { base: number; aside: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < steps.length; k++) {
    if (steps[k] < least) least = steps[k];
    if (steps[k] > most) most = steps[k];
  }
  if (!(most - least > range)) return { base: least === Number.POSITIVE_INFINITY ? 0 : least, aside: 0 };
  const sorted = steps.filter(value => !Number.isNaN(value)).sort();
  let best = { base: sorted[0], aside: sorted.length };
  for (let from = 0, to = 0; from < sorted.length; from++) {
    while (to < sorted.length && sorted[to] - sorted[from] <= range) to++;
    if (sorted.length - (to - from) < best.aside) best = { base: sorted[from], aside: sorted.length - (to - from) };
  }
  return best;
}
