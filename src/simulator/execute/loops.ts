/**
 * Separate loops for the most common operations and functions. They are about five times as fast as a call per element, which V8 does not
 * inline if there are many functions. A test checks that they give the numbers of `functions.ts`, rounded to float32.
 */
import { activations } from './functions';

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

type FunctionLoop = (values: Float32Array) => void;

const { gelu, gelu_apprx_tanh, sigmoid, silu, softplus } = activations;

/** Functions of ScalarE, in place. */
export const functionLoops: Readonly<Record<string, FunctionLoop | undefined>> = {
  copy: () => {},
  exp: values => {
    for (let i = 0; i < values.length; i++) values[i] = Math.exp(values[i]);
  },
  log: values => {
    for (let i = 0; i < values.length; i++) values[i] = Math.log(values[i]);
  },
  tanh: values => {
    for (let i = 0; i < values.length; i++) values[i] = Math.tanh(values[i]);
  },
  sigmoid: values => {
    for (let i = 0; i < values.length; i++) values[i] = sigmoid(values[i]);
  },
  silu: values => {
    for (let i = 0; i < values.length; i++) values[i] = silu(values[i]);
  },
  softplus: values => {
    for (let i = 0; i < values.length; i++) values[i] = softplus(values[i]);
  },
  gelu: values => {
    for (let i = 0; i < values.length; i++) values[i] = gelu(values[i]);
  },
  gelu_apprx_tanh: values => {
    for (let i = 0; i < values.length; i++) values[i] = gelu_apprx_tanh(values[i]);
  },
};
