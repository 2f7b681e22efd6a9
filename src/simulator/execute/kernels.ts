/**
 * Inner loops of matrix products over gathered float32 arrays: `out[M, N] += stationary[K, M].T @ moving[K, N]`.
 * Every product is exact and every partial sum is rounded to float32, k ascending: TensorE accumulates in float32
 * (aws-neuron-sdk nki/api/nki/isa nc_matmul). The order inside the systolic array is not documented, and float32 inputs take
 * several passes there: results can differ from the hardware's in the last bits.
 */

export type MatmulKernel = (stationary: Float32Array, moving: Float32Array, k: number, m: number, n: number, out: Float32Array) => void;

/** The definition. */
export const matmulReference: MatmulKernel = (stationary, moving, k, m, n, out) => block(stationary, moving, k, m, n, out, 0, m, 0, n);

type Block = (...args: [...Parameters<MatmulKernel>, fromM: number, toM: number, fromN: number, toN: number]) => void;

/** Part of the result, one element after the other. */
const block: Block = (stationary, moving, k, m, n, out, fromM, toM, fromN, toN) => {
  for (let i = fromM; i < toM; i++)
    for (let j = fromN; j < toN; j++) {
      let sum = out[i * n + j];
      for (let l = 0; l < k; l++) sum = Math.fround(sum + stationary[l * m + i] * moving[l * n + j]);
      out[i * n + j] = sum;
    }
};

/** The same numbers sooner: 2 x 4 elements at a time stay in registers while k runs. */
export const matmulFast: MatmulKernel = (stationary, moving, k, m, n, out) => {
  const [evenM, evenN] = [m & ~1, n & ~3];
  for (let j = 0; j < evenN; j += 4) for (let i = 0; i < evenM; i += 2) tile(stationary, moving, k, m, n, out, i, j);
  block(stationary, moving, k, m, n, out, 0, evenM, evenN, n);
  block(stationary, moving, k, m, n, out, evenM, m, 0, n);
};

function tile(s: Float32Array, v: Float32Array, k: number, m: number, n: number, out: Float32Array, i: number, j: number): void {
  const f = Math.fround;
  const upper = i * n + j;
  const lower = upper + n;
  let a0 = out[upper];
  let a1 = out[upper + 1];
  let a2 = out[upper + 2];
  let a3 = out[upper + 3];
  let b0 = out[lower];
  let b1 = out[lower + 1];
  let b2 = out[lower + 2];
  let b3 = out[lower + 3];
  for (let l = 0, x = i, y = j; l < k; l++, x += m, y += n) {
    const p = s[x];
    const q = s[x + 1];
    a0 = f(a0 + p * v[y]);
    a1 = f(a1 + p * v[y + 1]);
    a2 = f(a2 + p * v[y + 2]);
    a3 = f(a3 + p * v[y + 3]);
    b0 = f(b0 + q * v[y]);
    b1 = f(b1 + q * v[y + 1]);
    b2 = f(b2 + q * v[y + 2]);
    b3 = f(b3 + q * v[y + 3]);
  }
  out[upper] = a0;
  out[upper + 1] = a1;
  out[upper + 2] = a2;
  out[upper + 3] = a3;
  out[lower] = b0;
  out[lower + 1] = b1;
  out[lower + 2] = b2;
  out[lower + 3] = b3;
}

/** Transpose mode: elements pass through, so a zero of `moving` (an identity) lets nothing of NaN or infinity through. */
export const matmulPassThrough: MatmulKernel = (stationary, moving, k, m, n, out) => {
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++)
      for (let l = 0; l < k; l++)
        if (moving[l * n + j] !== 0) out[i * n + j] = Math.fround(out[i * n + j] + stationary[l * m + i] * moving[l * n + j]);
};
