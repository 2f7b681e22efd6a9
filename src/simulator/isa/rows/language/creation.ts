/** `nki.language`: new tiles with values. */
import type { InstructionRow } from '../../types';
import { ALL, LANGUAGE_SOURCE } from '../shared';

export const creationRows: readonly InstructionRow[] = [
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
      costs: ['vectorCopy', 'gpsimd', 'dma'],
      engines: ['Vector', 'GpSimd'],
      generations: ALL,
      summary: `A tile of ${name}.`,
      source: LANGUAGE_SOURCE,
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
    costs: ['vectorCopy', 'gpsimd', 'dma'],
    engines: ['Vector', 'GpSimd'],
    generations: ALL,
    summary: 'A tile filled with one value.',
    source: LANGUAGE_SOURCE,
  },
];
