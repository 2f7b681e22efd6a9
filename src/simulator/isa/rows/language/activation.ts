/** `nki.language`: functions of one tile that ScalarE computes. */
import type { ActivationFunction } from '../../functions';
import type { InstructionRow } from '../../types';
import { ALL, input, LANGUAGE_SOURCE, output } from '../shared';
import { unary } from './signatures';

function activation(name: ActivationFunction, summary: string): InstructionRow {
  return {
    name: `nki.language.${name}`,
    signature: unary,
    operands: { dst: output, x: input },
    attributes: {},
    fixed: { op: name },
    shape: 'elementwise',
    semantics: 'activation',
    lower: 'activation',
    costs: ['activation', 'scalarCopy'],
    engines: ['Scalar'],
    generations: ALL,
    summary,
    source: LANGUAGE_SOURCE,
  };
}

export const activationRows: readonly InstructionRow[] = [
  activation('exp', 'Exponential, element by element.'),
  activation('log', 'Natural logarithm.'),
  activation('sqrt', 'Square root.'),
  activation('rsqrt', 'Reciprocal square root.'),
  activation('reciprocal', '1 / x.'),
  activation('square', 'x squared.'),
  activation('abs', 'Absolute value.'),
  activation('sign', 'Sign: -1, 0 or 1.'),
  activation('tanh', 'Hyperbolic tangent.'),
  activation('sigmoid', 'Logistic sigmoid.'),
  activation('relu', 'max(x, 0).'),
  activation('gelu', 'Gaussian error linear unit.'),
  activation('gelu_dx', 'Derivative of gelu.'),
  activation('gelu_apprx_tanh', 'GELU, tanh approximation.'),
  activation('gelu_apprx_sigmoid', 'GELU, sigmoid approximation.'),
  activation('gelu_apprx_sigmoid_dx', 'Derivative of gelu_apprx_sigmoid.'),
  activation('silu', 'x * sigmoid(x).'),
  activation('silu_dx', 'Derivative of silu.'),
  activation('softplus', 'log(1 + exp(x)).'),
  activation('mish', 'x * tanh(softplus(x)).'),
  activation('erf', 'Error function.'),
  activation('erf_dx', 'Derivative of the error function.'),
  activation('sin', 'Sine.'),
  activation('arctan', 'Inverse tangent.'),
  { ...activation('sin', 'Cosine.'), name: 'nki.language.cos', fixed: { op: 'sin', bias: 1.5707963267948966 } },
  { ...activation('copy', '-x.'), name: 'nki.language.negative', fixed: { op: 'copy', scale: -1 } },
];
