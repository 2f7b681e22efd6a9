/** `nki.language`: tiles between HBM and SBUF, and copies. */
import type { InstructionRow } from '../../types';
import { ALL, input, LANGUAGE_SOURCE, output } from '../shared';

export const memoryRows: readonly InstructionRow[] = [
  {
    name: 'nki.language.load',
    signature: { nki: '(src, dtype=None)', neuronxcc: '(src, *, mask=None, dtype=None, **kwargs)' },
    operands: { dst: { role: 'out', spaces: ['sbuf'] }, src: { role: 'in', spaces: ['hbm'] } },
    attributes: {},
    shape: 'load',
    semantics: 'copy',
    lower: 'dma',
    costs: ['dma'],
    engines: ['Sync'],
    generations: ALL,
    summary: 'Load a tile from HBM into SBUF.',
    source: LANGUAGE_SOURCE,
  },
  {
    name: 'nki.language.store',
    signature: { nki: '(dst, value)', neuronxcc: '(dst, value, *, mask=None, **kwargs)' },
    operands: { dst: { role: 'out', spaces: ['hbm'] }, value: { role: 'in', spaces: ['sbuf', 'psum'] } },
    attributes: {},
    shape: 'none',
    semantics: 'copy',
    lower: 'store',
    costs: ['dma', 'vectorCopy', 'scalarCopy'],
    engines: ['Sync'],
    generations: ALL,
    summary: 'Store a tile to HBM.',
    source: LANGUAGE_SOURCE,
  },
  {
    name: 'nki.language.copy',
    signature: { nki: '(x, dtype=None)', neuronxcc: '(src, *, mask=None, dtype=None, **kwargs)' },
    operands: { dst: output, x: input },
    attributes: {},
    shape: 'elementwise',
    semantics: 'copy',
    lower: 'copy',
    costs: ['vectorCopy', 'scalarCopy', 'gpsimd'],
    engines: ['Vector', 'Scalar'],
    generations: ALL,
    summary: 'A copy of the tile, with cast.',
    source: LANGUAGE_SOURCE,
  },
];
