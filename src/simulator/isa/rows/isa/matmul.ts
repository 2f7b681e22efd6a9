/** `nki.isa`: TensorE, and the transposes that it shares with VectorE. */
import type { InstructionRow } from '../../types';
import { ALL, ISA_SOURCE, input, output } from '../shared';

export const matmulRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.nc_matmul',
    signature: {
      nki: '(dst, stationary, moving, is_stationary_onezero=False, is_moving_onezero=False, is_transpose=False, accumulate=None, tile_position=(), tile_size=(), perf_mode=matmul_perf_mode.none, name=None)',
      neuronxcc:
        '(stationary, moving, *, is_stationary_onezero=False, is_moving_onezero=False, is_transpose=False, tile_position=(), tile_size=(), perf_mode=matmul_perf_mode.none, mask=None, **kwargs)',
    },
    operands: {
      dst: { role: 'inout', spaces: ['psum'] },
      stationary: { role: 'in', spaces: ['sbuf'], dtypes: ['float', 'bool', 'int'] },
      moving: { role: 'in', spaces: ['sbuf'], dtypes: ['float', 'bool', 'int'] },
    },
    attributes: {
      is_stationary_onezero: 'bool',
      is_moving_onezero: 'bool',
      is_transpose: 'bool',
      accumulate: 'bool',
      tile_position: 'shape',
      tile_size: 'shape',
      perf_mode: 'enum',
    },
    implied: { neuronxcc: { accumulate: false } },
    shape: 'matmul',
    semantics: 'matmul',
    lower: 'matmul',
    costs: ['tensor'],
    engines: ['Tensor'],
    generations: ALL,
    resultDtype: 'float32',
    resultSpace: 'psum',
    summary: 'dst[M, N] (+)= stationary[K, M].T @ moving[K, N] on the systolic array: LoadStationary, then MultiplyMoving.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.nc_transpose',
    signature: {
      nki: '(dst, data, engine=engine.unknown, name=None)',
      neuronxcc: '(data, *, mask=None, dtype=None, engine=engine.unknown, **kwargs)',
    },
    operands: { dst: output, data: input },
    attributes: { engine: 'engine' },
    shape: 'transpose',
    semantics: 'transpose',
    lower: 'transpose',
    costs: ['tensor', 'vectorTranspose', 'dma', 'vectorCopy', 'scalarCopy'],
    engines: ['Tensor', 'Vector'],
    generations: ALL,
    resultSpace: 'psum',
    summary: 'Transpose a tile: partition axis and flattened free axes swap (Tensor up to 128x128, Vector 32x32).',
    source: ISA_SOURCE,
  },
];
