/**
 * Rows of `nki.collectives`: what one rank does when its replica group is itself alone. The functions that users call, with
 * their lists of tensors and groups, are `nki/collectives.py`; each pair of tensors becomes one of these.
 */
import type { InstructionRow, OperandRule } from '../types';
import { ALL } from './shared';

const source = 'aws-neuron-sdk nki/api/nki/collectives/__init__.py';
const spaces: OperandRule['spaces'] = ['hbm', 'sbuf'];

function collective(name: string, summary: string, more: Partial<InstructionRow> = {}): InstructionRow {
  return {
    name: `nki.collectives.${name}`,
    signature: { nki: '(dst, src, priority=None, name=None)' },
    operands: { dst: { role: 'out', spaces }, src: { role: 'in', spaces } },
    attributes: { priority: 'int' },
    shape: 'none',
    semantics: 'copy',
    lower: 'collective',
    costs: ['dma'],
    engines: ['Sync'],
    generations: ALL,
    summary: `${summary} One rank here: dst = src.`,
    source,
    ...more,
  };
}

/** Chunks whose size and place a tensor of metadata says: [counts, displacements, received counts]. */
function variable(name: string, summary: string): InstructionRow {
  return collective(name, summary, {
    signature: { nki: '(dst, src, metadata, recv_counts_known=False, has_rdispls=False, priority=None, name=None)' },
    operands: {
      dst: { role: 'inout', spaces: ['hbm'] },
      metadata: { role: 'inout', spaces, dtypes: ['int'] },
      src: { role: 'in', spaces: ['hbm'] },
    },
    attributes: { recv_counts_known: 'bool', has_rdispls: 'bool', priority: 'int' },
    semantics: 'chunk',
    summary: `${summary} One rank here: its own chunk.`,
  });
}

export const collectiveRows: readonly InstructionRow[] = [
  collective('all_reduce', 'The reduction of all ranks, at every rank.'),
  collective('all_gather', 'The tensors of all ranks, one after the other, at every rank.'),
  collective('reduce_scatter', "The reduction of all ranks, each rank's part at that rank."),
  collective('all_to_all', 'Part r of each rank to rank r.'),
  collective('collective_permute', 'Each source rank to its target rank.'),
  collective('collective_permute_implicit', 'Each rank to its successor in a ring.'),
  collective('collective_permute_implicit_reduce', 'op of two tensors to the successor in a ring.', {
    signature: { nki: '(dst, src0, src1, op, priority=None, name=None)' },
    operands: { dst: { role: 'out', spaces }, src0: { role: 'in', spaces }, src1: { role: 'in', spaces } },
    attributes: { op: 'alu', priority: 'int' },
    semantics: 'combine',
    lower: 'collectiveReduce',
    summary: 'op of two tensors to the successor in a ring. One rank here: dst = op(src0, src1).',
  }),
  variable('all_gather_v', 'A chunk of each rank, of its own size, at every rank.'),
  variable('all_to_all_v', 'A chunk of each rank, of its own size, to each rank.'),
];
