/** `nki.isa`: data moved by the DMA engines. */
import type { InstructionRow } from '../../types';
import { ALL, anywhere, ISA_SOURCE } from '../shared';

export const dmaRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.dma_copy',
    signature: {
      nki: '(dst, src, priority=None, oob_mode=oob_mode.error, dge_mode=dge_mode.unknown, engine=engine.unknown, name=None)',
      neuronxcc: '(*, dst, src, mask=None, dst_rmw_op=None, oob_mode=oob_mode.error, dge_mode=dge_mode.unknown)',
    },
    operands: { dst: { role: 'out', spaces: anywhere }, src: { role: 'in', spaces: anywhere } },
    attributes: { priority: 'int', oob_mode: 'enum', dge_mode: 'enum', engine: 'engine', dst_rmw_op: 'alu' },
    shape: 'none',
    semantics: 'copy',
    lower: 'dma',
    costs: ['dma'],
    engines: ['Sync', 'Scalar', 'GpSimd', 'Vector', 'Tensor'],
    generations: ALL,
    summary: 'Copy between any two memories through the DMA engines, with cast.',
    source: ISA_SOURCE,
  },
];
