/** `nki.language`: matrix products and transposes. */
import type { InstructionRow } from '../../types';
import { ALL, input, LANGUAGE_SOURCE, output } from '../shared';
import { unary } from './signatures';

export const matmulRows: readonly InstructionRow[] = [
  {
    name: 'nki.language.matmul',
    signature: { nki: '(x, y, transpose_x=False)', neuronxcc: '(x, y, *, transpose_x=False, mask=None, **kwargs)' },
    operands: { dst: { role: 'inout', spaces: ['psum'] }, x: { role: 'in', spaces: ['sbuf'] }, y: { role: 'in', spaces: ['sbuf'] } },
    // accumulate: set by `psum += nl.matmul(...)`; absent is false
    attributes: { transpose_x: 'bool', accumulate: 'bool' },
    shape: 'matmul2d',
    semantics: 'matmul2d',
    lower: 'matmul2d',
    costs: ['tensor', 'dma', 'vectorCopy', 'scalarCopy'],
    engines: ['Tensor'],
    generations: ALL,
    resultDtype: 'float32',
    resultSpace: 'psum',
    summary: 'x @ y, or x.T @ y with transpose_x.',
    source: LANGUAGE_SOURCE,
  },
  {
    name: 'nki.language.transpose',
    signature: unary,
    operands: { dst: output, x: input },
    attributes: {},
    shape: 'transpose',
    semantics: 'transpose',
    lower: 'transpose',
    costs: ['tensor', 'vectorTranspose', 'dma', 'vectorCopy', 'scalarCopy'],
    engines: ['Tensor', 'Vector'],
    generations: ALL,
    resultSpace: 'psum',
    summary: 'Swap the partition axis and the flattened free axes.',
    source: LANGUAGE_SOURCE,
  },
];
