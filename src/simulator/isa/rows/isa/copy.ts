/** `nki.isa`: copies and fills on the engines. */
import type { InstructionRow } from '../../types';
import { ALL, ISA_SOURCE, indices, input, output } from '../shared';

export const copyRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.tensor_copy',
    signature: {
      // Not in the stub, but AWS's matmul tutorial passes dtype= beside dst; the destination's dtype decides.
      nki: '(dst, src, engine=engine.unknown, name=None, dtype=None)',
      neuronxcc: '(src, *, mask=None, dtype=None, engine=engine.unknown, **kwargs)',
    },
    operands: { dst: output, src: input, dst_index: indices, src_index: indices },
    attributes: { engine: 'engine', dst_indirect: 'json', src_indirect: 'json' },
    shape: 'elementwise',
    semantics: 'copy',
    lower: 'copy',
    costs: ['vectorCopy', 'scalarCopy', 'gpsimd'],
    engines: ['Vector', 'Scalar', 'GpSimd'],
    generations: ALL,
    summary: 'Copy within SBUF and PSUM, with cast; the offset of either side may come from SBUF.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.tensor_copy_dynamic_src',
    signature: { neuronxcc: '(src, *, mask=None, dtype=None, engine=engine.unknown, **kwargs)' },
    operands: { dst: output, src: input, src_index: indices },
    attributes: { engine: 'engine', src_indirect: 'json' },
    shape: 'elementwise',
    semantics: 'copy',
    lower: 'copyDynamic',
    costs: ['vectorCopy', 'scalarCopy', 'gpsimd'],
    engines: ['Vector', 'Scalar', 'GpSimd'],
    generations: ALL,
    summary: 'Copy within SBUF and PSUM from an offset that is a value in SBUF.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.tensor_copy_dynamic_dst',
    signature: { neuronxcc: '(*, dst, src, mask=None, dtype=None, engine=engine.unknown, **kwargs)' },
    operands: { dst: output, src: input, dst_index: indices },
    attributes: { engine: 'engine', dst_indirect: 'json' },
    shape: 'none',
    semantics: 'copy',
    lower: 'copyDynamic',
    costs: ['vectorCopy', 'scalarCopy', 'gpsimd'],
    engines: ['Vector', 'Scalar', 'GpSimd'],
    generations: ALL,
    summary: 'Copy within SBUF and PSUM to an offset that is a value in SBUF.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.memset',
    signature: {
      nki: '(dst, value, engine=engine.unknown, name=None)',
      neuronxcc: '(shape, value, dtype, *, mask=None, engine=engine.unknown, **kwargs)',
    },
    operands: { dst: output },
    attributes: { value: 'float', engine: 'engine', shape: 'shape' },
    shape: 'given',
    semantics: 'fill',
    lower: 'memset',
    costs: ['vectorCopy', 'gpsimd', 'dma'],
    engines: ['Vector', 'GpSimd'],
    generations: ALL,
    summary: 'Fill a tile with one value.',
    source: ISA_SOURCE,
  },
];
