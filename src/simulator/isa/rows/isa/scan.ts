/** `nki.isa`: operations in which an element depends on those before it. */
import type { InstructionRow } from '../../types';
import { ALL, floatScalar, ISA_SOURCE, input, optionalFloatScalar, output, scalar } from '../shared';

export const scanRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.tensor_tensor_scan',
    signature: {
      nki: '(dst, data0, data1, initial, op0, op1, reverse0=False, reverse1=False, name=None)',
      neuronxcc: '(data0, data1, initial, op0, op1, reverse0=False, reverse1=False, *, dtype=None, mask=None, **kwargs)',
    },
    operands: { dst: output, data0: input, data1: input, initial: scalar },
    attributes: { initial: 'float', op0: 'arithmetic', op1: 'arithmetic', reverse0: 'bool', reverse1: 'bool' },
    shape: 'elementwise',
    semantics: 'scan',
    lower: 'single',
    opcode: 'TENSOR_TENSOR_SCAN',
    costs: ['vectorScan'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'dst[i] = (data0[i] op0 dst[i - 1]) op1 data1[i] along the free axes, from initial.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.tensor_scalar_cumulative',
    signature: {
      nki: '(dst, src, op0, op1, imm0, imm1=None, reduce_cmd=reduce_cmd.reset_reduce, name=None)',
      neuronxcc: '(*, src, dst, op0, op1, imm0, imm1=None, reduce_cmd=reduce_cmd.reset_reduce, **kwargs)',
    },
    operands: {
      dst: { role: 'out', dtypes: ['float', 'int8', 'int16', 'uint8', 'uint16'] },
      src: { role: 'in', dtypes: ['float', 'int8', 'int16', 'uint8', 'uint16'] },
      imm0: floatScalar,
      imm1: optionalFloatScalar,
    },
    attributes: { op0: 'arithmetic', op1: 'arithmetic', imm0: 'float', imm1: 'float', reduce_cmd: 'enum' },
    shape: 'elementwise',
    semantics: 'cumulative',
    lower: 'single',
    opcode: 'TENSOR_SCALAR_CUMULATIVE',
    costs: ['vectorScan'],
    engines: ['Vector'],
    generations: ALL,
    choices: { op1: ['add', 'subtract', 'multiply', 'maximum', 'minimum'], reduce_cmd: ['reset_reduce', 'reduce', 'load_reduce'] },
    summary: 'A running op1 over src op0 imm0 along the free axes.',
    source: ISA_SOURCE,
  },
];
