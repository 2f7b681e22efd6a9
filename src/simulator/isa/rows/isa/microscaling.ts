/** `nki.isa`: MX types. 32 elements (8 partitions with 4 packed elements each) share one power of two. */
import type { InstructionRow, OperandRule } from '../../types';
import { FROM_V4, ISA_SOURCE } from '../shared';

const SCALES = ['float8_e8m0fnu', 'uint8'];
const packed: OperandRule = { role: 'in', spaces: ['sbuf'], dtypes: ['packed'] };
const scales: OperandRule = { role: 'in', spaces: ['sbuf'], dtypes: SCALES };

export const microscalingRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.nc_matmul_mx',
    signature: {
      nki: '(dst, stationary, moving, stationary_scale, moving_scale, tile_position=None, tile_size=None, accumulate=None, name=None)',
    },
    operands: {
      dst: { role: 'inout', spaces: ['psum'], dtypes: ['float32', 'bfloat16'] },
      stationary: packed,
      moving: packed,
      stationary_scale: scales,
      moving_scale: scales,
    },
    attributes: { tile_position: 'shape', tile_size: 'shape', accumulate: 'bool' },
    shape: 'own',
    semantics: 'matmulMx',
    lower: 'matmulMx',
    costs: ['tensor'],
    engines: ['Tensor'],
    generations: FROM_V4,
    summary: 'dst[M, N] (+)= stationary.T @ moving of scaled 8-bit or 4-bit floats, four of them to each partition.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.quantize_mx',
    signature: { nki: '(dst, src, dst_scale, name=None)' },
    operands: {
      dst: { role: 'out', spaces: ['sbuf'], dtypes: ['float8_e5m2_x4', 'float8_e4m3fn_x4'] },
      src: { role: 'in', spaces: ['sbuf'], dtypes: ['float16', 'bfloat16'] },
      dst_scale: { role: 'out', spaces: ['sbuf'], dtypes: SCALES },
    },
    attributes: {},
    shape: 'own',
    semantics: 'quantizeMx',
    lower: 'single',
    opcode: 'QUANTIZE_MX',
    costs: ['vectorQuantize'],
    engines: ['Vector'],
    generations: FROM_V4,
    summary: '16-bit floats as MX elements and the scale of each group of 32.',
    source: ISA_SOURCE,
  },
];
