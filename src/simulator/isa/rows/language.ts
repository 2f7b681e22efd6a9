/**
 * Rows of `nki.language`: NumPy-like functions over tiles that lower to instructions of `nki.isa`.
 * Signatures: `nki` from aws-neuron-sdk nki/api/nki/language/__init__.py (0.6), `neuronxcc` from the same file at 1db4d74e.
 * Functions that record nothing (views, ranges, ids) are not rows: they live in the Python package.
 */
import type { ActivationFunction, AluOp } from '../functions';
import type { Dialect, Generation, InstructionRow, OperandRule } from '../types';

const ALL: readonly Generation[] = ['v2', 'v3', 'v4'];
const source = 'aws-neuron-sdk nki/api/nki/language/__init__.py';
const out: OperandRule = { role: 'out' };
const input: OperandRule = { role: 'in' };

type Signature = Partial<Record<Dialect, string>>;

/** `(x, dtype=None)` in today's dialect; keyword-only with `mask` in the legacy one. */
const unary: Signature = { nki: '(x, dtype=None)', neuronxcc: '(x, *, dtype=None, mask=None, **kwargs)' };
const binary: Signature = { nki: '(x, y, dtype=None)', neuronxcc: '(x, y, *, dtype=None, mask=None, **kwargs)' };
const reduction: Signature = {
  nki: '(x, axis, dtype=None, keepdims=False)',
  neuronxcc: '(x, axis, *, dtype=None, mask=None, keepdims=False, **kwargs)',
};

function activation(name: ActivationFunction, summary: string): InstructionRow {
  return {
    name: `nki.language.${name}`,
    signature: unary,
    operands: { dst: out, x: input },
    attributes: {},
    fixed: { op: name },
    shape: 'elementwise',
    semantics: 'activation',
    lower: 'activation',
    engines: ['Scalar'],
    generations: ALL,
    summary,
    source,
  };
}

/** x and y: two tiles, or a tile and a number or [P, 1] tile (either side). Lowered to TensorTensor or TensorScalar. */
function elementwise(name: AluOp, summary: string, resultDtype?: string): InstructionRow {
  return {
    name: `nki.language.${name}`,
    signature: binary,
    operands: { dst: out, x: { role: 'scalar' }, y: { role: 'scalar' } },
    attributes: { x: 'float', y: 'float' },
    fixed: { op: name },
    shape: 'elementwise',
    semantics: 'binary',
    lower: 'binary',
    engines: ['Vector'],
    generations: ALL,
    resultDtype,
    summary,
    source,
  };
}

function reduce(name: string, op: AluOp, summary: string, extra: InstructionRow['fixed'] = {}): InstructionRow {
  return {
    name: `nki.language.${name}`,
    signature: reduction,
    operands: { dst: out, x: input },
    attributes: { axis: 'axes', keepdims: 'bool' },
    fixed: { op, ...extra },
    shape: 'reduce',
    semantics: 'reduce',
    lower: 'reduce',
    engines: ['Vector'],
    generations: ALL,
    summary,
    source,
  };
}

function vectorUnary(name: AluOp, summary: string): InstructionRow {
  return {
    ...activation('copy', summary),
    name: `nki.language.${name}`,
    fixed: { op: name },
    semantics: 'aluUnary',
    lower: 'aluUnary',
    engines: ['Vector'],
  };
}

export const languageRows: readonly InstructionRow[] = [
  {
    name: 'nki.language.load',
    signature: { nki: '(src, dtype=None)', neuronxcc: '(src, *, mask=None, dtype=None, **kwargs)' },
    operands: { dst: { role: 'out', spaces: ['sbuf'] }, src: { role: 'in', spaces: ['hbm'] } },
    attributes: {},
    shape: 'load',
    semantics: 'copy',
    lower: 'dma',
    engines: ['Sync'],
    generations: ALL,
    summary: 'Load a tile from HBM into SBUF.',
    source,
  },
  {
    name: 'nki.language.store',
    signature: { nki: '(dst, value)', neuronxcc: '(dst, value, *, mask=None, **kwargs)' },
    operands: { dst: { role: 'out', spaces: ['hbm'] }, value: { role: 'in', spaces: ['sbuf', 'psum'] } },
    attributes: {},
    shape: 'none',
    semantics: 'copy',
    lower: 'store',
    engines: ['Sync'],
    generations: ALL,
    summary: 'Store a tile to HBM.',
    source,
  },
  {
    name: 'nki.language.copy',
    signature: { nki: '(x, dtype=None)', neuronxcc: '(src, *, mask=None, dtype=None, **kwargs)' },
    operands: { dst: out, x: input },
    attributes: {},
    shape: 'elementwise',
    semantics: 'copy',
    lower: 'copy',
    engines: ['Vector', 'Scalar'],
    generations: ALL,
    summary: 'A copy of the tile, with cast.',
    source,
  },
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
  vectorUnary('invert', 'Bitwise not.'),
  vectorUnary('logical_not', 'Logical not.'),
  elementwise('add', 'x + y.'),
  elementwise('subtract', 'x - y.'),
  elementwise('multiply', 'x * y.'),
  elementwise('divide', 'x / y.'),
  elementwise('maximum', 'The larger of x and y.'),
  elementwise('minimum', 'The smaller of x and y.'),
  elementwise('power', 'x to the power of y.'),
  elementwise('mod', 'Remainder with the sign of the divisor.'),
  elementwise('fmod', 'Remainder with the sign of the dividend.'),
  elementwise('equal', 'x == y.', 'bool'),
  elementwise('not_equal', 'x != y.', 'bool'),
  elementwise('less', 'x < y.', 'bool'),
  elementwise('less_equal', 'x <= y.', 'bool'),
  elementwise('greater', 'x > y.', 'bool'),
  elementwise('greater_equal', 'x >= y.', 'bool'),
  elementwise('logical_and', 'Both non-zero.', 'bool'),
  elementwise('logical_or', 'Either non-zero.', 'bool'),
  elementwise('logical_xor', 'Just one non-zero.', 'bool'),
  elementwise('bitwise_and', 'Bitwise and.'),
  elementwise('bitwise_or', 'Bitwise or.'),
  elementwise('bitwise_xor', 'Bitwise exclusive or.'),
  elementwise('left_shift', 'Bits shifted left.'),
  elementwise('right_shift', 'Bits shifted right.'),
  reduce('sum', 'add', 'Sum over free axes.'),
  reduce('max', 'maximum', 'Maximum over free axes.'),
  reduce('min', 'minimum', 'Minimum over free axes.'),
  reduce('prod', 'multiply', 'Product over free axes.'),
  { ...reduce('mean', 'add', 'Mean over free axes.', { mean: true }), lower: 'mean' },
  {
    name: 'nki.language.softmax',
    signature: { nki: '(x, axis=-1, dtype=None)', neuronxcc: '(x, axis, *, dtype=None, compute_dtype=None, mask=None, **kwargs)' },
    operands: { dst: out, x: input },
    attributes: { axis: 'axes', compute_dtype: 'dtype' },
    shape: 'elementwise',
    semantics: 'softmax',
    lower: 'softmax',
    engines: ['Vector', 'Scalar'],
    generations: ALL,
    summary: 'Softmax over free axes: exp(x - max) / sum.',
    source,
  },
  {
    name: 'nki.language.rms_norm',
    signature: {
      nki: '(x, w, axis, n, epsilon=1e-06, dtype=None, compute_dtype=None)',
      neuronxcc: '(x, w, axis, n, epsilon=1e-06, *, dtype=None, compute_dtype=None, mask=None, **kwargs)',
    },
    operands: { dst: out, x: input, w: input },
    attributes: { axis: 'axes', n: 'int', epsilon: 'float', compute_dtype: 'dtype' },
    shape: 'elementwise',
    semantics: 'rmsNorm',
    lower: 'rmsNorm',
    engines: ['Vector', 'Scalar'],
    generations: ALL,
    summary: 'x / sqrt(sum(x * x) / n + epsilon) * w.',
    source,
  },
  {
    name: 'nki.language.matmul',
    signature: { nki: '(x, y, transpose_x=False)', neuronxcc: '(x, y, *, transpose_x=False, mask=None, **kwargs)' },
    operands: { dst: { role: 'inout', spaces: ['psum'] }, x: { role: 'in', spaces: ['sbuf'] }, y: { role: 'in', spaces: ['sbuf'] } },
    // accumulate: set by `psum += nl.matmul(...)`; absent is false
    attributes: { transpose_x: 'bool', accumulate: 'bool' },
    shape: 'matmul2d',
    semantics: 'matmul2d',
    lower: 'matmul2d',
    engines: ['Tensor'],
    generations: ALL,
    resultDtype: 'float32',
    resultSpace: 'psum',
    summary: 'x @ y, or x.T @ y with transpose_x.',
    source,
  },
  {
    name: 'nki.language.transpose',
    signature: unary,
    operands: { dst: out, x: input },
    attributes: {},
    shape: 'transpose',
    semantics: 'transpose',
    lower: 'transpose',
    engines: ['Tensor', 'Vector'],
    generations: ALL,
    resultSpace: 'psum',
    summary: 'Swap the partition axis and the flattened free axes.',
    source,
  },
  {
    name: 'nki.language.where',
    signature: { nki: '(condition, x, y, dtype=None)', neuronxcc: '(condition, x, y, *, dtype=None, mask=None, **kwargs)' },
    operands: { dst: out, condition: input, x: { role: 'scalar' }, y: { role: 'scalar' } },
    attributes: { x: 'float', y: 'float' },
    shape: 'elementwise',
    semantics: 'where',
    lower: 'where',
    engines: ['Vector'],
    generations: ALL,
    summary: 'x where the condition holds, y elsewhere.',
    source,
  },
  ...(['zeros', 'ones'] as const).map(
    (name, value): InstructionRow => ({
      name: `nki.language.${name}`,
      signature: { nki: "(shape, dtype, buffer=sbuf, name='')", neuronxcc: "(shape, dtype, *, buffer=None, name='', **kwargs)" },
      operands: { dst: { role: 'out', spaces: ['hbm', 'sbuf', 'psum'] } },
      attributes: { shape: 'shape' },
      fixed: { value },
      shape: 'given',
      semantics: 'fill',
      lower: 'memset',
      engines: ['Vector', 'GpSimd'],
      generations: ALL,
      summary: `A tile of ${name}.`,
      source,
    }),
  ),
  {
    name: 'nki.language.full',
    signature: {
      nki: "(shape, fill_value, dtype, buffer=sbuf, name='')",
      neuronxcc: "(shape, fill_value, dtype, *, buffer=None, name='', **kwargs)",
    },
    operands: { dst: { role: 'out', spaces: ['hbm', 'sbuf', 'psum'] } },
    attributes: { shape: 'shape', fill_value: 'float' },
    shape: 'given',
    semantics: 'fill',
    lower: 'memset',
    engines: ['Vector', 'GpSimd'],
    generations: ALL,
    summary: 'A tile filled with one value.',
    source,
  },
];
