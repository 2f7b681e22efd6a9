/** `nki.isa`: reductions over free axes and partitions. */
import type { InstructionRow } from '../../types';
import { ALL, ISA_SOURCE, input, output } from '../shared';

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
    summary: 'Reduce over free axes with one ALU operation.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.tensor_partition_reduce',
    signature: { nki: '(dst, op, data, name=None)', neuronxcc: '(op, data, *, mask=None, dtype=None, **kwargs)' },
    operands: { dst: output, data: input },
    attributes: { op: 'alu' },
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
