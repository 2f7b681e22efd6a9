/** `nki.isa`: copies, transposes and sums by the DMA engines. */
import type { InstructionRow, OperandRule } from '../../types';
import { ALL, address, ISA_SOURCE, indices } from '../shared';

const hbmOrSbuf: OperandRule['spaces'] = ['hbm', 'sbuf'];
const SOURCES = 16;

/** Operands of dma_compute's `srcs`: one for each source, then the indices of each. */
function sources(): Record<string, OperandRule> {
  const names = Array.from({ length: SOURCES }, (_, k) => `src${k}`);
  return Object.fromEntries([
    ...names.map(name => [name, { role: 'in', spaces: hbmOrSbuf, optional: true } as const]),
    ...names.map(name => [`${name}_index`, indices] as const),
  ]);
}

export const dmaRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.dma_copy',
    signature: {
      nki: '(dst, src, priority=None, oob_mode=oob_mode.error, dge_mode=dge_mode.unknown, engine=engine.unknown, name=None)',
      neuronxcc: '(*, dst, src, mask=None, dst_rmw_op=None, oob_mode=oob_mode.error, dge_mode=dge_mode.unknown)',
    },
    operands: {
      dst: { role: 'out', spaces: hbmOrSbuf },
      src: { role: 'in', spaces: hbmOrSbuf },
      dst_index: indices,
      src_index: indices,
      dst_address: address,
      src_address: address,
    },
    attributes: {
      priority: 'int',
      oob_mode: 'enum',
      dge_mode: 'enum',
      engine: 'engine',
      dst_rmw_op: 'alu',
      dst_indirect: 'json',
      src_indirect: 'json',
    },
    prepare: 'sumIntoDestination',
    shape: 'none',
    semantics: 'copy',
    lower: 'dma',
    costs: ['dma'],
    engines: ['Sync', 'Scalar', 'GpSimd', 'Vector', 'Tensor'],
    generations: ALL,
    summary: 'Copy within and between HBM and SBUF through the DMA engines, with cast; gathers and scatters rows by indices in SBUF.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.dma_transpose',
    signature: {
      nki: '(dst, src, axes=None, priority=None, dge_mode=dge_mode.unknown, oob_mode=oob_mode.error, name=None)',
      neuronxcc: '(src, *, axes=None, mask=None, dtype=None, dge_mode=dge_mode.unknown, **kwargs)',
    },
    operands: { dst: { role: 'out', spaces: ['sbuf'] }, src: { role: 'in', spaces: hbmOrSbuf }, src_index: indices },
    attributes: { axes: 'shape', priority: 'int', dge_mode: 'enum', oob_mode: 'enum', src_indirect: 'json' },
    prepare: 'reversedAxes',
    shape: 'dmaTranspose',
    semantics: 'dmaTranspose',
    lower: 'dmaTranspose',
    costs: ['dma'],
    engines: ['Sync'],
    generations: ALL,
    summary: 'First and last axis change places on the way into SBUF, over 2 to 4 axes.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.dma_compute',
    signature: { nki: '(dst, srcs, reduce_op, scales=None, unique_indices=True, oob_mode=oob_mode.error, name=None)' },
    operands: { dst: { role: 'out', spaces: hbmOrSbuf }, dst_index: indices, ...sources() },
    attributes: {
      reduce_op: 'alu',
      oob_mode: 'enum',
      dst_indirect: 'json',
      ...Object.fromEntries(Array.from({ length: SOURCES }, (_, k) => [`src${k}_indirect`, 'json'] as const)),
    },
    prepare: 'sources',
    shape: 'none',
    semantics: 'dmaCompute',
    lower: 'dmaCompute',
    costs: ['dma'],
    engines: ['Sync'],
    generations: ALL,
    summary: 'dst = sum of up to 16 sources in float32, by the DMA engines; adds to rows that indices name.',
    source: ISA_SOURCE,
  },
];
