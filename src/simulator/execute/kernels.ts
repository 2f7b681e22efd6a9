/**
 * Inner loops of matrix products over float32 rows: `out[M, N] += stationary[K, M].T @ moving[K, N]`.
 * Every product and every partial sum is rounded to float32, k ascending: TensorE accumulates in float32
 * (aws-neuron-sdk nki/api/nki/isa nc_matmul); products of inputs narrower than that are exact. The order inside the systolic
 * array is not documented, and float32 inputs take several passes there: results can differ from the hardware's in the last bits.
 */
import { scratch } from './scratch';
import { type StridedMatrix, TILE_COLUMNS, TILE_ROWS } from './wasm/panels';

export type { StridedMatrix };

export type MatmulKernel = (stationary: StridedMatrix, moving: StridedMatrix, k: number, m: number, n: number, out: Float32Array) => void;

/** The definition. */
export const matmulReference: MatmulKernel = (stationary, moving, k, m, n, out) => block(stationary, moving, k, n, out, 0, m, 0, n);

type Area = [fromM: number, toM: number, fromN: number, toN: number];

/** Part of the result, one element after the other. */
function block(
  stationary: StridedMatrix,
  moving: StridedMatrix,
  k: number,
  n: number,
  out: Float32Array,
  ...[fromM, toM, fromN, toN]: Area
): void {
  const [a, b] = [stationary.values, moving.values];
  for (let i = fromM; i < toM; i++)
    for (let j = fromN; j < toN; j++) {
      let sum = out[i * n + j];
      for (let l = 0; l < k; l++) sum = Math.fround(sum + Math.fround(a[l * stationary.stride + i] * b[l * moving.stride + j]));
      out[i * n + j] = sum;
    }
}

/** The same numbers, faster: all but the edges in WebAssembly. */
export const matmulFast: MatmulKernel = (stationary, moving, k, m, n, out) => {
  if (isDouble(out)) {
    matmulInDoubles(stationary, moving, k, m, n, out);
    return;
  }
  const [evenM, evenN] = k === 0 ? [0, 0] : [m - (m % TILE_ROWS), n - (n % TILE_COLUMNS)];
  const inTiles = evenM > 0 && evenN > 0 && scratch().matmul.multiply(stationary, moving, k, n, out, evenM, evenN);
  if (!inTiles) {
    matmulReference(stationary, moving, k, m, n, out);
    return;
  }
  block(stationary, moving, k, n, out, 0, evenM, evenN, n);
  block(stationary, moving, k, n, out, evenM, m, 0, n);
};

const isDouble = (values: Float32Array) => values.BYTES_PER_ELEMENT === Float64Array.BYTES_PER_ELEMENT;

/** Of an execution in double precision: nothing is rounded to float32. Row by row of `moving`, which lies in order. */
const matmulInDoubles: MatmulKernel = (stationary, moving, k, m, n, out) => {
  for (let l = 0; l < k; l++)
    for (let i = 0; i < m; i++) {
      const weight = stationary.values[l * stationary.stride + i];
      const [row, at] = [l * moving.stride, i * n];
      for (let j = 0; j < n; j++) out[at + j] += weight * moving.values[row + j];
    }
};

/** Transpose mode: elements are passed through. A zero of `moving` (an identity) also blocks NaN and infinity, and is skipped. */
export const matmulPassThrough: MatmulKernel = (stationary, moving, k, m, n, out) => {
  const { values, stride } = stationary;
  const round = isDouble(out) ? (x: number) => x : Math.fround;
  for (let l = 0; l < k; l++)
    for (let j = 0; j < n; j++) {
      const factor = moving.values[l * moving.stride + j];
      if (factor === 0) continue;
      for (let i = 0, at = j, from = l * stride; i < m; i++, at += n, from++) out[at] = round(out[at] + round(values[from] * factor));
    }
};
