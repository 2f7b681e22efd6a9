/**
 * An operand's values as a matrix: the first dimension (partitions, on chip) down, all others across. Numbers in, numbers out: which
 * element is where, what it is called, and what a heat map's pixel stands for. No DOM.
 */
import type { OperandValues } from '../../simulator/profile/instructionValues';

export interface ValueMatrix {
  rows: number;
  columns: number;
  values: OperandValues['values'];
  shape: readonly number[];
}

export function matrixOf({ shape, values }: OperandValues): ValueMatrix {
  const [first = 1] = shape;
  const rows = shape.length < 2 ? 1 : first;
  const elements = shape.reduce((n, count) => n * count, 1);
  return { rows, columns: rows > 0 ? elements / rows : 0, values, shape };
}

/** undefined: outside, or not handed on. */
export const valueAt = ({ values, columns }: ValueMatrix, row: number, column: number): number | undefined =>
  values[row * columns + column];

/** `[3, 0, 17]`: the element's index along each dimension. */
export function indexText({ shape, columns }: ValueMatrix, row: number, column: number): string {
  let rest = row * columns + column;
  const index = new Array<number>(shape.length);
  for (let k = shape.length - 1; k >= 0; k--) {
    index[k] = rest % shape[k];
    rest = Math.floor(rest / shape[k]);
  }
  return `[${index.join(', ')}]`;
}

/** The matrix in fewer cells: the mean of the elements that a cell covers; NaN when one of them is not finite, or there is none. */
export interface Cells {
  across: number;
  down: number;
  means: Float64Array;
}

export function cellsOf(matrix: ValueMatrix, mostAcross: number, mostDown: number): Cells {
  const across = Math.max(1, Math.min(matrix.columns, Math.floor(mostAcross)));
  const down = Math.max(1, Math.min(matrix.rows, Math.floor(mostDown)));
  const means = new Float64Array(across * down);
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) means[y * across + x] = mean(matrix, part(x, across, matrix.columns), part(y, down, matrix.rows));
  return { across, down, means };
}

/** Elements [from, to) that cell `k` of `cells` covers. */
const part = (k: number, cells: number, elements: number) => [Math.floor((k * elements) / cells), Math.floor(((k + 1) * elements) / cells)];

function mean({ values, columns }: ValueMatrix, [left, right]: number[], [top, bottom]: number[]): number {
  let sum = 0;
  for (let row = top; row < bottom; row++)
    for (let at = row * columns + left; at < row * columns + right; at++) {
      // what was not handed on is undefined
      if (!Number.isFinite(values[at])) return Number.NaN;
      sum += values[at];
    }
  return sum / ((right - left) * (bottom - top));
}

/** Digits that tell neighbouring values of a dtype apart, not more. */
export function valueText(value: number | undefined, dtype: string): string {
  if (value === undefined) return '…';
  if (!Number.isFinite(value) || Number.isInteger(value)) return String(value);
  const digits = /8|^float4/.test(dtype) ? 3 : dtype === 'bfloat16' ? 4 : /16/.test(dtype) ? 5 : 7;
  return String(Number(value.toPrecision(digits)));
}
