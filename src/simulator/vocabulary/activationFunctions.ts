/**
 * Names of ScalarE's activation functions. Their mathematics is in `execute/functions.ts`; a test holds that both lists agree.
 * Source: aws-neuron-sdk nki/api/nki.api.shared.rst "Supported Activation Functions".
 */

/** `copy` is the identity (COPY). */
export const activationFunctions = [
  'copy',
  'exp',
  'log',
  'sqrt',
  'rsqrt',
  'reciprocal',
  'square',
  'abs',
  'sign',
  'tanh',
  'sigmoid',
  'relu',
  'prelu',
  'gelu',
  'gelu_dx',
  'gelu_apprx_tanh',
  'gelu_apprx_sigmoid',
  'gelu_apprx_sigmoid_dx',
  'silu',
  'silu_dx',
  'softplus',
  'mish',
  'erf',
  'erf_dx',
  'sin',
  'arctan',
] as const;

export type ActivationFunction = (typeof activationFunctions)[number];
