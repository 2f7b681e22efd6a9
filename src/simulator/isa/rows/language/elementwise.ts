/** `nki.language`: ALU operations of one or two tiles or numbers, element by element. */
import type { AluOp } from '../../functions';
import type { InstructionRow } from '../../types';
import { ALL, input, LANGUAGE_SOURCE, output, scalar } from '../shared';
import { binary, unary } from './signatures';

/** x and y: two tiles, or a tile and a number or [P, 1] tile (either side). Lowered to TensorTensor or TensorScalar. */
function elementwise(name: AluOp, summary: string, resultDtype?: string): InstructionRow {
  return {
    name: `nki.language.${name}`,
    signature: binary,
    operands: { dst: output, x: scalar, y: scalar },
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

export const elementwiseRows: readonly InstructionRow[] = [
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
  vectorUnary('invert', 'Bitwise not.'),
  vectorUnary('logical_not', 'Logical not.'),
  {
    name: 'nki.language.where',
    signature: { nki: '(condition, x, y, dtype=None)', neuronxcc: '(condition, x, y, *, dtype=None, mask=None, **kwargs)' },
    operands: { dst: output, condition: input, x: scalar, y: scalar },
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
];
