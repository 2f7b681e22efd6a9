/** `nki.isa`: reductions over free axes and partitions. */
import type { InstructionRow } from '../../types';
import { ALL, ISA_SOURCE, input, optionalFloatScalar, output, reduced, scalar } from '../shared';

/** nki/api/nki.api.shared.rst "Supported Math Operators", column "Legal Reduction". */
const LEGAL_REDUCTIONS = [
  'add',
  'subtract',
  'multiply',
  'maximum',
  'minimum',
  'logical_and',
  'logical_or',
  'logical_xor',
  'bitwise_and',
  'bitwise_or',
  'bitwise_xor',
];

export const reduceRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.tensor_reduce',
    signature: {
      nki: '(dst, op, data, axis, negate=False, keepdims=False, name=None)',
      neuronxcc: '(op, data, axis, *, mask=None, dtype=None, negate=False, keepdims=False, **kwargs)',
    },
    operands: { dst: output, data: input },
    attributes: { op: 'alu', axis: 'axes', negate: 'bool', keepdims: 'bool' },
    shape: 'reduce',
    semantics: 'reduce',
    lower: 'reduce',
    costs: ['vectorReduce'],
    engines: ['Vector'],
    generations: ALL,
    choices: { op: LEGAL_REDUCTIONS },
    summary: 'Reduce over free axes with one ALU operation.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.tensor_scalar_reduce',
    signature: {
      nki: '(dst, data, op0, operand0, reduce_op, reduce_res=None, reverse0=False, reduce_cmd=reduce_cmd.reset_reduce, reduce_init=None, reduce_res_negate=False, name=None)',
      neuronxcc: '(*, data, op0, operand0, reduce_op, reduce_res, reverse0=False, dtype=None, mask=None, **kwargs)',
    },
    operands: { dst: output, data: input, operand0: scalar, reduce_res: reduced, reduce_init: optionalFloatScalar },
    attributes: {
      op0: 'arithmetic',
      operand0: 'float',
      reduce_op: 'arithmetic',
      reverse0: 'bool',
      reduce_cmd: 'enum',
      reduce_init: 'float',
      reduce_res_negate: 'bool',
    },
    shape: 'elementwise',
    semantics: 'tensorScalarReduce',
    lower: 'single',
    opcode: 'TENSOR_SCALAR_REDUCE',
    costs: ['vectorTensorScalarReduce'],
    engines: ['Vector'],
    generations: ALL,
    choices: {
      reduce_op: ['add', 'subtract', 'multiply', 'maximum', 'minimum'],
      reduce_cmd: ['reset_reduce', 'reduce', 'load_reduce'],
    },
    summary: 'dst = data op0 operand0, and its reduction along the free axes.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.tensor_partition_reduce',
    signature: { nki: '(dst, op, data, name=None)', neuronxcc: '(op, data, *, mask=None, dtype=None, **kwargs)' },
    operands: { dst: output, data: input },
    attributes: { op: 'partitionReduction' },
    shape: 'partitionSum',
    semantics: 'partitionReduce',
    lower: 'partitionReduce',
    costs: ['gpsimdPartitionReduce'],
    engines: ['GpSimd'],
    generations: ALL,
    summary: 'Reduce over the partition axis.',
    source: ISA_SOURCE,
  },
];
