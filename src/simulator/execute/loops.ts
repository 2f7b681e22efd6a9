/**
 * The commonest ALU operations as loops of their own, about five times as fast as a call per element. They give the numbers
 * of `arithmetic` in `functions.ts`, rounded to float32; a test holds that.
 */

type Loop = (a: Float32Array, b: Float32Array, out: Float32Array) => void;

export const loops: Readonly<Record<string, Loop | undefined>> = {
  add: (a, b, out) => {
    for (let i = 0; i < out.length; i++) out[i] = a[i] + b[i];
  },
  subtract: (a, b, out) => {
    for (let i = 0; i < out.length; i++) out[i] = a[i] - b[i];
  },
  multiply: (a, b, out) => {
    for (let i = 0; i < out.length; i++) out[i] = a[i] * b[i];
  },
  divide: (a, b, out) => {
    for (let i = 0; i < out.length; i++) out[i] = a[i] / b[i];
  },
  maximum: (a, b, out) => {
    for (let i = 0; i < out.length; i++) out[i] = Math.max(a[i], b[i]);
  },
  minimum: (a, b, out) => {
    for (let i = 0; i < out.length; i++) out[i] = Math.min(a[i], b[i]);
  },
};
