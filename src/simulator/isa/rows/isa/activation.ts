/** `nki.isa`: functions of ScalarE. */
import type { InstructionRow } from '../../types';
import { ALL, ISA_SOURCE, input, optionalScalar, output } from '../shared';

export const activationRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.activation',
    signature: {
      nki: '(dst, op, data, bias=None, scale=1.0, reduce_op=None, reduce_res=None, reduce_cmd=reduce_cmd.idle, name=None)',
      neuronxcc:
        '(op, data, *, bias=None, scale=1.0, reduce_op=None, reduce_res=None, reduce_cmd=reduce_cmd.idle, mask=None, dtype=None, **kwargs)',
    },
    operands: { dst: output, data: input, bias: optionalScalar, scale: optionalScalar, reduce_res: { role: 'inout', optional: true } },
    attributes: { op: 'activation', bias: 'float', scale: 'float', reduce_op: 'alu', reduce_cmd: 'enum' },
    shape: 'elementwise',
    semantics: 'activation',
    lower: 'activation',
    costs: ['activation', 'scalarCopy'],
    engines: ['Scalar'],
    generations: ALL,
    summary: 'dst = op(data * scale + bias) on ScalarE, optionally reduced along the free axes into reduce_res.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.activation_reduce',
    signature: {
      nki: '(dst, op, data, reduce_op, reduce_res, bias=None, scale=1.0, name=None)',
      neuronxcc: '(op, data, *, reduce_op, reduce_res, bias=None, scale=1.0, mask=None, dtype=None, **kwargs)',
    },
    operands: { dst: output, data: input, bias: optionalScalar, scale: optionalScalar, reduce_res: output },
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
];
