/** `nki.isa`: mean and variance of each partition. */
import type { InstructionRow } from '../../types';
import { ALL, ISA_SOURCE, input, output } from '../shared';

export const statisticsRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.bn_stats',
    signature: { nki: '(dst, data, name=None)', neuronxcc: '(data, *, mask=None, dtype=None, **kwargs)' },
    operands: { dst: { ...output, free: 6 }, data: { ...input, free: [1, 'bnStatsColumns'] } },
    attributes: {},
    shape: 'perPartition',
    semantics: 'bnStats',
    lower: 'single',
    opcode: 'BN_STATS',
    costs: ['vectorReduce'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'Count, mean and variance * count of the even and of the odd elements of each partition.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.bn_aggr',
    signature: { nki: '(dst, data, name=None)', neuronxcc: '(data, *, mask=None, dtype=None, **kwargs)' },
    operands: { dst: { ...output, free: 2 }, data: input },
    attributes: {},
    shape: 'perPartition',
    semantics: 'bnAggr',
    lower: 'single',
    opcode: 'BN_AGGR',
    costs: ['vectorBnAggr'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'Mean and variance of each partition from the results of bn_stats.',
    source: ISA_SOURCE,
  },
];
