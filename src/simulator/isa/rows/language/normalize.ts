/** `nki.language`: functions over whole rows that become several instructions. */
import type { InstructionRow } from '../../types';
import { ALL, input, LANGUAGE_SOURCE, output } from '../shared';

export const normalizeRows: readonly InstructionRow[] = [
  {
    name: 'nki.language.softmax',
    signature: { nki: '(x, axis=-1, dtype=None)', neuronxcc: '(x, axis, *, dtype=None, compute_dtype=None, mask=None, **kwargs)' },
    operands: { dst: output, x: input },
    attributes: { axis: 'axes', compute_dtype: 'dtype' },
    shape: 'elementwise',
    semantics: 'softmax',
    lower: 'softmax',
    costs: ['vectorReduce', 'activation', 'vectorReciprocal', 'vectorTensorScalar'],
    engines: ['Vector', 'Scalar'],
    generations: ALL,
    summary: 'Softmax over free axes: exp(x - max) / sum.',
    source: LANGUAGE_SOURCE,
  },
  {
    name: 'nki.language.rms_norm',
    signature: {
      nki: '(x, w, axis, n, epsilon=1e-06, dtype=None, compute_dtype=None)',
      neuronxcc: '(x, w, axis, n, epsilon=1e-06, *, dtype=None, compute_dtype=None, mask=None, **kwargs)',
    },
    operands: { dst: output, x: input, w: input },
    attributes: { axis: 'axes', n: 'int', epsilon: 'float', compute_dtype: 'dtype' },
    shape: 'elementwise',
    semantics: 'rmsNorm',
    lower: 'rmsNorm',
    costs: ['activation', 'scalarCopy', 'vectorTensorScalar', 'vectorTensorTensor'],
    engines: ['Vector', 'Scalar'],
    generations: ALL,
    summary: 'x / sqrt(sum(x * x) / n + epsilon) * w.',
    source: LANGUAGE_SOURCE,
  },
];
