/** `nki.isa`: communication between the two NeuronCores of a logical core. */
import type { InstructionRow } from '../../types';
import { ISA_SOURCE } from '../shared';

export const coreRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.core_barrier',
    signature: { nki: '(data, cores, engine=engine.gpsimd, name=None)' },
    // the document requires shared HBM and two cores; nki-library's bwmm_shard_on_I waits with a tile in SBUF, its router_topk runs on
    // one core
    operands: { data: { role: 'in', spaces: ['hbm', 'sbuf'] } },
    attributes: { cores: 'shape', engine: 'engine' },
    prepare: 'cores',
    waitsFor: 'cores',
    shape: 'none',
    semantics: 'nothing',
    lower: 'barrier',
    costs: ['gpsimd'],
    engines: ['GpSimd', 'Vector', 'Scalar', 'Tensor', 'Sync'],
    generations: ['v3', 'v4'],
    summary: 'Both cores wait for each other before they go on with the shared tensor.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.sendrecv',
    signature: { nki: '(src, dst, send_to_rank, recv_from_rank, pipe_id, dma_engine=dma_engine.dma, name=None)' },
    operands: { dst: { role: 'out', spaces: ['sbuf'] }, src: { role: 'in', spaces: ['sbuf'] } },
    attributes: { send_to_rank: 'int', recv_from_rank: 'int', pipe_id: 'int', dma_engine: 'enum' },
    prepare: 'exchange',
    waitsFor: 'recv_from_rank',
    shape: 'none',
    semantics: 'copy',
    lower: 'dma',
    costs: ['dma'],
    engines: ['GpSimd'],
    generations: ['v3', 'v4'],
    summary: "A core's tile to another core, and what that core sends into dst.",
    source: ISA_SOURCE,
  },
];
