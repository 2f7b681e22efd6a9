/** `nki.language`: ALU operations of one or two tiles or numbers, element by element. */
import type { AluOp } from '../../functions';
import type { InstructionRow } from '../../types';
import { ALL, FROM_V4, input, LANGUAGE_SOURCE, output, scalar, tileOrNumber } from '../shared';
import { binary, unary } from './signatures';

/** Truth values are `bool` in the legacy dialect, and of the inputs' dtype (1 and 0) today. */
const COMPARISON: InstructionRow['resultDtype'] = { neuronxcc: 'bool' };

/** x and y: two tiles, or a tile and a number or [P, 1] tile (either side). Lowered to TensorTensor or TensorScalar. */
function elementwise(name: AluOp, summary: string, resultDtype?: InstructionRow['resultDtype']): InstructionRow {
  return {
    name: `nki.language.${name}`,
    signature: binary,
    operands: { dst: output, x: tileOrNumber, y: tileOrNumber },
    attributes: { x: 'float', y: 'float' },
    fixed: { op: name },
    shape: 'elementwise',
    semantics: 'binary',
    lower: 'binary',
    costs: ['vectorTensorTensor', 'vectorTensorScalar'],
    engines: ['Vector'],
    generations: ALL,
    resultDtype,
    summary,
    source: LANGUAGE_SOURCE,
  };
}

/** One operation of one tile. */
function vectorUnary(name: AluOp, summary: string): InstructionRow {
  return {
    ...elementwise(name, summary),
    signature: unary,
    operands: { dst: output, x: input },
    attributes: {},
    semantics: 'aluUnary',
    lower: 'aluUnary',
    costs: ['vectorTensorScalar'],
  };
}

/** Not in the legacy dialect: NeuronCore-v4 has it in hardware. */
const onlyToday = (row: InstructionRow): InstructionRow => ({ ...row, signature: { nki: row.signature.nki }, generations: FROM_V4 });

export const elementwiseRows: readonly InstructionRow[] = [
  elementwise('add', 'x + y.'),
  elementwise('subtract', 'x - y.'),
  elementwise('multiply', 'x * y.'),
  // a quotient of integers has a fraction, as in NumPy: the published resize_nearest_fixed_dma_kernel rounds it down
  { ...elementwise('divide', 'x / y.'), integerResultDtype: { neuronxcc: 'float32' } },
  elementwise('maximum', 'The larger of x and y.'),
  elementwise('minimum', 'The smaller of x and y.'),
  onlyToday(elementwise('abs_max', 'The one of larger magnitude, with its sign; y on a tie.')),
  onlyToday(elementwise('abs_min', 'The one of smaller magnitude, with its sign; y on a tie.')),
  elementwise('power', 'x to the power of y.'),
  elementwise('mod', 'Remainder with the sign of the divisor.'),
  elementwise('fmod', 'Remainder with the sign of the dividend.'),
  elementwise('equal', 'x == y.', COMPARISON),
  elementwise('not_equal', 'x != y.', COMPARISON),
  elementwise('less', 'x < y.', COMPARISON),
  elementwise('less_equal', 'x <= y.', COMPARISON),
  elementwise('greater', 'x > y.', COMPARISON),
  elementwise('greater_equal', 'x >= y.', COMPARISON),
  elementwise('logical_and', 'Both non-zero.', COMPARISON),
  elementwise('logical_or', 'Either non-zero.', COMPARISON),
  elementwise('logical_xor', 'Just one non-zero.', COMPARISON),
  elementwise('bitwise_and', 'Bitwise and.'),
  elementwise('bitwise_or', 'Bitwise or.'),
  elementwise('bitwise_xor', 'Bitwise exclusive or.'),
  elementwise('left_shift', 'Bits shifted left.'),
  elementwise('right_shift', 'Bits shifted right.'),
  vectorUnary('invert', 'Bitwise not.'),
  { ...vectorUnary('logical_not', 'Logical not.'), resultDtype: COMPARISON },
  {
    name: 'nki.language.where',
    signature: { nki: '(condition, x, y, dtype=None)', neuronxcc: '(condition, x, y, *, dtype=None, mask=None, **kwargs)' },
    operands: { dst: output, condition: input, x: tileOrNumber, y: tileOrNumber },
    attributes: { x: 'float', y: 'float' },
    shape: 'elementwise',
    semantics: 'where',
    lower: 'where',
    costs: ['vectorCopy', 'vectorTensorTensor'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'x where the condition holds, y elsewhere.',
    source: LANGUAGE_SOURCE,
  },
  {
    name: 'nki.language.dropout',
    signature: { nki: '(x, rate, dtype=None)', neuronxcc: '(x, rate, *, dtype=None, mask=None, **kwargs)' },
    operands: { dst: output, x: input, rate: scalar },
    attributes: { rate: 'float' },
    shape: 'elementwise',
    semantics: 'dropout',
    lower: 'single',
    opcode: 'DROPOUT',
    costs: ['vectorSelect'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'Each element becomes 0 with probability rate, else stays as it is.',
    source: LANGUAGE_SOURCE,
  },
];
