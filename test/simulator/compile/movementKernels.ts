/** Kernels for the goldens of lowerings that move data: `lowerings.test.ts` runs them. By lowering key. */
import type { ProgramBuilder } from '../../support/programs';

/** A gather of 64 rows of a table of 1000 through software descriptors. */
const gathered = (b: ProgramBuilder) => {
  const table = b.hbm('table', [1000, 256], 'float32', 'input');
  const rows = { tensor: table, offset: 0, dims: [[0, 64] as [number, number], [1, 256] as [number, number]] };
  b.record(
    'nki.isa.dma_copy',
    { dst: b.sbuf('t', [64, 256]), src: rows, src_index: b.sbuf('idx', [64, 1], 'uint32') },
    { src_indirect: [256, 1000] },
  );
};

export const movementKernels: Readonly<Record<string, (b: ProgramBuilder) => void>> = {
  dmaIndirect: gathered,
  dmaTranspose: b =>
    b.record('nki.isa.dma_transpose', { dst: b.sbuf('t', [128, 16], 'bfloat16'), src: b.hbm('x', [16, 128], 'bfloat16', 'input') }),
  dmaCompute: b =>
    b.record(
      'nki.isa.dma_compute',
      { dst: b.sbuf('t', [128, 512]), src0: b.hbm('x', [128, 512], 'float32', 'input'), src1: b.hbm('y', [128, 512], 'float32', 'input') },
      { reduce_op: 'add' },
    ),
  atomicUpdate: b => {
    const table = b.hbm('table', [1000, 256], 'float32', 'input');
    const rows = { tensor: table, offset: 0, dims: [[0, 64] as [number, number], [1, 256] as [number, number]] };
    const operands = { dst: rows, value: b.sbuf('v', [64, 256]), dst_index: b.sbuf('idx', [64, 1], 'int32') };
    b.record('nki.language.atomic_rmw', operands, { op: 'add', dst_indirect: [256, 1000] });
  },
  collective: b =>
    b.record(
      'nki.collectives.all_reduce',
      { dst: b.hbm('y', [64, 512], 'float32', 'output'), src: b.hbm('x', [64, 512], 'float32', 'input') },
      { op: 'add', replica_group: [[0]] },
    ),
  collectiveReduce: b =>
    b.record(
      'nki.collectives.collective_permute_implicit_reduce',
      { dst: b.sbuf('o', [64, 512]), src0: b.sbuf('x', [64, 512]), src1: b.sbuf('y', [64, 512]) },
      { op: 'add', replica_group: [[0]] },
    ),
  copyDynamic: b => {
    const x = b.sbuf('x', [128, 512]);
    const operands = { dst: b.sbuf('o', [128, 64]), src: x.slice(':', [0, 64]), src_index: b.sbuf('i', [1, 1], 'int32') };
    b.record('nki.isa.tensor_copy_dynamic_src', operands, { src_indirect: [1, 512] });
  },
  iota: b => b.record('nki.isa.iota', { dst: b.sbuf('o', [128, 512], 'int32') }, { pattern: [[1, 512]], offset: 3 }),
  gather: b =>
    b.record('nki.isa.nc_n_gather', {
      dst: b.sbuf('o', [128, 64]),
      data: b.sbuf('x', [128, 512]),
      indices: b.sbuf('i', [128, 64], 'uint32'),
    }),
  localGather: b =>
    b.record(
      'nki.isa.local_gather',
      { dst: b.sbuf('o', [128, 256]), src_buffer: b.sbuf('x', [128, 512]), index: b.sbuf('i', [128, 4], 'uint16') },
      { num_elem_per_idx: 4, num_valid_indices: 64 },
    ),
  streamShuffle: b =>
    b.record(
      'nki.isa.nc_stream_shuffle',
      { dst: b.sbuf('o', [32, 64]), src: b.sbuf('x', [32, 64]) },
      { shuffle_mask: Array.from({ length: 32 }, (_, i) => 31 - i) },
    ),
  sequenceBounds: b => b.record('nki.isa.sequence_bounds', { dst: b.sbuf('o', [1, 2, 64]), segment_ids: b.sbuf('x', [1, 64]) }),
  random: b => {
    b.record('nki.isa.rng', { dst: b.sbuf('o', [128, 64], 'uint32') }, { engine: 'GpSimd' });
    b.record('nki.language.rand', { dst: b.sbuf('u', [128, 64]) });
  },
  randomState: b => {
    b.record('nki.isa.rand_set_state', { src_seeds: b.sbuf('s', [128, 6], 'uint32') }, { engine: 'GpSimd' });
    b.record('nki.isa.rand_get_state', { dst: b.sbuf('g', [128, 6], 'uint32') }, { engine: 'GpSimd' });
  },
  barrier: b => b.record('nki.isa.core_barrier', { data: b.hbm('x', [128, 64], 'float32', 'input') }, { cores: [0, 1] }),
};
