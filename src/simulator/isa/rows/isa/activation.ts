/** `nki.isa`: functions of ScalarE. */
import type { InstructionRow } from '../../types';
import { ALL, FROM_V4, ISA_SOURCE, input, optionalFloatScalar, optionalScalar, output, reduced } from '../shared';

const BOTH_SIDES = ['float8_e4m3', 'float8_e5m2', 'float16', 'bfloat16', 'float32', 'int8', 'int16', 'int32', 'uint8', 'uint16'];
/** What VectorE's exponential reads and writes. */
const EXPONENTIAL_DTYPES = { src: [...BOTH_SIDES, 'uint32'], dst: [...BOTH_SIDES, 'tfloat32'] };

export const activationRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.activation',
    signature: {
      nki: '(dst, op, data, bias=None, scale=1.0, reduce_op=None, reduce_res=None, reduce_cmd=reduce_cmd.idle, name=None)',
      neuronxcc:
        '(op, data, *, bias=None, scale=1.0, reduce_op=None, reduce_res=None, reduce_cmd=reduce_cmd.idle, mask=None, dtype=None, **kwargs)',
    },
    operands: { dst: output, data: input, bias: optionalScalar, scale: optionalScalar, reduce_res: reduced },
    attributes: { op: 'activation', bias: 'float', scale: 'float', reduce_op: 'alu', reduce_cmd: 'enum' },
    shape: 'elementwise',
    semantics: 'activation',
    lower: 'activation',
    costs: ['activation', 'scalarCopy'],
    engines: ['Scalar'],
    generations: ALL,
    choices: { reduce_op: ['add'], reduce_cmd: ['idle', 'reset', 'reduce', 'reset_reduce'] },
    summary: 'dst = op(data * scale + bias) on ScalarE, optionally reduced along the free axes into reduce_res.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.activation_reduce',
    signature: {
      nki: '(dst, op, data, reduce_op, reduce_res, bias=None, scale=1.0, name=None)',
      neuronxcc: '(op, data, *, reduce_op, reduce_res, bias=None, scale=1.0, mask=None, dtype=None, **kwargs)',
    },
    operands: { dst: output, data: input, bias: optionalScalar, scale: optionalScalar, reduce_res: reduced },
    attributes: { op: 'activation', bias: 'float', scale: 'float', reduce_op: 'alu' },
    fixed: { reduce_cmd: 'reset_reduce' },
    shape: 'elementwise',
    semantics: 'activation',
    lower: 'activation',
    costs: ['activation', 'scalarCopy'],
    engines: ['Scalar'],
    generations: ALL,
    summary: 'activation and a reduction along the free axes in one instruction.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.activate2',
    signature: {
      nki: '(dst, op, data, imm0, imm1, op0, op1, relu_param=0.0, reverse0=False, reverse1=False, reduce_op=None, reduce_res=None, reduce_cmd=reduce_cmd.idle, name=None)',
    },
    operands: { dst: output, data: input, imm0: optionalScalar, imm1: optionalScalar, relu_param: optionalScalar, reduce_res: reduced },
    attributes: {
      op: 'activation',
      imm0: 'float',
      imm1: 'float',
      op0: 'arithmetic',
      op1: 'arithmetic',
      relu_param: 'float',
      reverse0: 'bool',
      reverse1: 'bool',
      reduce_op: 'arithmetic',
      reduce_cmd: 'enum',
    },
    shape: 'elementwise',
    semantics: 'activate2',
    lower: 'activate2',
    costs: ['activation', 'scalarCopy'],
    engines: ['Scalar'],
    generations: FROM_V4,
    choices: {
      op0: ['multiply', 'add', 'subtract', 'bypass'],
      op1: ['add', 'subtract', 'bypass'],
      reduce_op: ['add', 'maximum', 'minimum', 'abs_max', 'abs_min'],
      reduce_cmd: ['idle', 'reset', 'reduce', 'reset_reduce'],
    },
    summary: 'dst = op((data op0 imm0) op1 imm1), optionally reduced along the free axes.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.exponential',
    signature: { nki: '(dst, src, max_value=0.0, reduce_res=None, reduce_cmd=reduce_cmd.idle, reduce_init=0.0, name=None)' },
    operands: {
      dst: { ...output, dtypes: EXPONENTIAL_DTYPES.dst },
      src: { ...input, dtypes: EXPONENTIAL_DTYPES.src },
      max_value: optionalFloatScalar,
      reduce_res: { ...reduced, dtypes: ['float'] },
      reduce_init: optionalFloatScalar,
    },
    attributes: { max_value: 'float', reduce_cmd: 'enum', reduce_init: 'float' },
    shape: 'elementwise',
    semantics: 'exponential',
    lower: 'single',
    opcode: 'EXPONENTIAL',
    costs: ['vectorExponential'],
    engines: ['Vector'],
    generations: FROM_V4,
    choices: { reduce_cmd: ['idle', 'reset_reduce', 'reduce', 'load_reduce'] },
    summary: 'dst = exp(src - max_value) on VectorE, optionally summed along the free axes.',
    source: ISA_SOURCE,
  },
];
