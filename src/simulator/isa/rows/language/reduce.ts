/** `nki.language`: reductions over free axes. */
import type { AluOp } from '../../functions';
import type { InstructionRow } from '../../types';
import { ALL, input, LANGUAGE_SOURCE, output } from '../shared';
import { reduction } from './signatures';

function reduce(name: string, op: AluOp, summary: string, extra: InstructionRow['fixed'] = {}): InstructionRow {
  return {
    name: `nki.language.${name}`,
    signature: reduction,
    operands: { dst: output, x: input },
    attributes: { axis: 'axes', keepdims: 'bool' },
    fixed: { op, ...extra },
    shape: 'reduce',
    semantics: 'reduce',
    lower: 'reduce',
    costs: ['vectorReduce'],
    engines: ['Vector'],
    generations: ALL,
    summary,
    source: LANGUAGE_SOURCE,
  };
}

export const reduceRows: readonly InstructionRow[] = [
  reduce('sum', 'add', 'Sum over free axes.'),
  reduce('max', 'maximum', 'Maximum over free axes.'),
  reduce('min', 'minimum', 'Minimum over free axes.'),
  reduce('prod', 'multiply', 'Product over free axes.'),
  { ...reduce('mean', 'add', 'Mean over free axes.', { mean: true }), lower: 'mean', costs: ['vectorReduce', 'vectorTensorScalar'] },
  {
    ...reduce('all', 'logical_and', 'Whether no element over free axes is zero.'),
    signature: { nki: '(x, axis, dtype=None)', neuronxcc: '(x, axis, *, dtype=None, mask=None, **kwargs)' },
    resultDtype: { neuronxcc: 'bool' },
  },
  {
    ...reduce('var', 'add', 'Variance over free axes: the mean squared distance from the mean.'),
    signature: { nki: reduction.nki, neuronxcc: '(x, axis, *, dtype=None, mask=None, **kwargs)' },
    implied: { nki: { keepdims: true } },
    semantics: 'variance',
    lower: 'variance',
    costs: ['vectorReduce', 'vectorTensorScalar', 'vectorTensorTensor'],
  },
];
