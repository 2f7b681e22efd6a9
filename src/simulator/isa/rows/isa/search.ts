/** `nki.isa`: largest values and where values are, partition by partition. */
import type { InstructionRow, OperandRule } from '../../types';
import { ALL, FROM_V3, ISA_SOURCE, input, output } from '../shared';

/** Elements per partition that the search instructions of VectorE read at most. */
const MOST = 16384;
const eight: OperandRule = { role: 'in', free: 8 };
const searched: OperandRule = { role: 'in', free: [8, MOST] };
const indices = ['uint16', 'uint32'];
const inSbuf = (role: 'in' | 'out', ...dtypes: string[]): OperandRule => ({ role, spaces: ['sbuf'], dtypes });

export const searchRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.max8',
    signature: { nki: '(dst, src, name=None)', neuronxcc: '(*, src, mask=None, dtype=None, **kwargs)' },
    operands: { dst: { ...output, free: 8 }, src: searched },
    attributes: {},
    shape: 'perPartition',
    semantics: 'max8',
    lower: 'single',
    opcode: 'MAX8',
    costs: ['vectorSearch'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'The 8 largest values of each partition, the largest first.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.nc_find_index8',
    signature: { nki: '(dst, data, vals, name=None)', neuronxcc: '(*, data, vals, mask=None, dtype=None, **kwargs)' },
    operands: { dst: { ...output, free: 8, dtypes: indices }, data: searched, vals: eight },
    attributes: {},
    shape: 'perPartition',
    semantics: 'findIndex8',
    lower: 'single',
    opcode: 'FIND_INDEX8',
    costs: ['vectorSearch'],
    engines: ['Vector'],
    generations: ALL,
    resultDtype: 'uint32',
    summary: 'Where each of 8 values first occurs in its partition; all ones where it does not.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.nc_match_replace8',
    signature: {
      nki: '(dst, data, vals, imm, dst_idx=None, name=None)',
      neuronxcc: '(*, data, vals, imm, dst_idx=None, mask=None, dtype=None, **kwargs)',
    },
    operands: {
      dst: output,
      data: { ...input, free: [1, MOST] },
      vals: eight,
      dst_idx: { role: 'out', optional: true, free: 8, dtypes: indices },
    },
    attributes: { imm: 'float' },
    shape: 'like',
    semantics: 'matchReplace8',
    lower: 'single',
    opcode: 'MATCH_REPLACE8',
    costs: ['vectorSearch'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'data with the first occurrence of each of 8 values replaced by imm; optionally where they were.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.nonzero_with_count',
    signature: { nki: '(dst, src, index_offset=0, padding_val=-1, name=None)' },
    operands: { dst: inSbuf('out', 'int32'), src: inSbuf('in', 'float32', 'int32') },
    attributes: { index_offset: 'int', padding_val: 'int' },
    shape: 'own',
    semantics: 'nonzeroWithCount',
    lower: 'single',
    opcode: 'NONZERO_WITH_COUNT',
    costs: ['gpsimd'],
    engines: ['GpSimd'],
    generations: FROM_V3,
    summary: 'Indices of the elements that are not zero, padding, and their count, in every 16th partition.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.topk',
    signature: { nki: '(val_dst, idx_dst, src, n, name=None)' },
    operands: { val_dst: inSbuf('out', 'bfloat16'), idx_dst: inSbuf('out', 'uint32'), src: inSbuf('in', 'bfloat16') },
    attributes: { n: 'int' },
    shape: 'own',
    semantics: 'topk',
    lower: 'topk',
    opcode: 'TOPK',
    costs: ['gpsimdTopK'],
    engines: ['GpSimd'],
    generations: ALL,
    summary: 'The K largest of n values that lie over 16 partitions, ascending, and their indices.',
    source: ISA_SOURCE,
  },
];
