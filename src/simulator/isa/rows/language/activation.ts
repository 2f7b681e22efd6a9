/** `nki.language`: functions of one tile that ScalarE computes. */
import type { ActivationFunction } from '../../../vocabulary/activationFunctions';
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

/** ScalarE's sine is valid in [-pi, pi] only, so VectorE first maps the argument into this range. */
function periodic(name: string, bias: number, summary: string): InstructionRow {
  return {
    ...activation('sin', summary),
    name: `nki.language.${name}`,
    fixed: { op: 'sin', bias, any_range: true },
    lower: 'periodic',
    costs: ['vectorTensorScalar', 'activation'],
  };
}

/** A function that no engine computes in one instruction. */
function composite(name: string, lower: string, costs: InstructionRow['costs'], summary: string): InstructionRow {
  return {
    ...activation('copy', summary),
    name: `nki.language.${name}`,
    fixed: { op: name },
    semantics: 'composite',
    lower,
    costs,
    engines: ['Vector', 'Scalar'],
  };
}

const ROUNDING: InstructionRow['costs'] = ['vectorTensorScalar', 'vectorTensorTensor'];

export const activationRows: readonly InstructionRow[] = [
  activation('exp', 'Exponential, element by element.'),
  activation('log', 'Natural logarithm.'),
  activation('sqrt', 'Square root.'),
  {
    ...activation('rsqrt', 'Reciprocal square root; on ScalarE in the legacy dialect, whose compiler has it there.'),
    lower: 'reciprocalRoot',
    costs: ['gpsimd', 'activation', 'scalarCopy'],
    engines: ['GpSimd', 'Scalar'],
  },
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
  periodic('sin', 0, 'Sine, of any number.'),
  periodic('cos', 1.5707963267948966, 'Cosine, of any number.'),
  activation('arctan', 'Inverse tangent.'),
  { ...activation('copy', '-x.'), name: 'nki.language.negative', fixed: { op: 'copy', scale: -1 } },
  composite('tan', 'tangent', ['vectorTensorScalar', 'activation', 'vectorReciprocal', 'vectorTensorTensor'], 'Tangent.'),
  composite('floor', 'rounding', ROUNDING, 'The largest integer that is not greater.'),
  composite('ceil', 'rounding', ROUNDING, 'The smallest integer that is not less.'),
  composite('trunc', 'rounding', ROUNDING, 'The integer part: fractions are dropped.'),
];
