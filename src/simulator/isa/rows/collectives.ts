/**
 * Rows of `nki.collectives`: what the ranks of a replica group do together. The functions that users call, with their lists of
 * tensors and groups, are `nki/collectives.py`; each pair of tensors becomes one of these.
 */
import type { AttributeType, InstructionRow, OperandRule } from '../types';
import { ALL } from './shared';

const source = 'aws-neuron-sdk nki/api/nki/collectives/__init__.py';
const spaces: OperandRule['spaces'] = ['hbm', 'sbuf'];

/** Parameters of a collective beside its tensors, in the order of its signature: each with its attribute's type and its default. */
type Parameters = Readonly<Record<string, readonly [type: AttributeType, byDefault?: string]>>;

function collective(name: string, summary: string, own: Parameters, more: Partial<InstructionRow> = {}): InstructionRow {
  const operands = more.operands ?? { dst: { role: 'out', spaces }, src: { role: 'in', spaces } };
  const parameters: Parameters = { ...own, priority: ['int', 'None'] };
  const listed = Object.entries(parameters).map(([parameter, [, byDefault]]) => (byDefault ? `${parameter}=${byDefault}` : parameter));
  return {
    name: `nki.collectives.${name}`,
    signature: { nki: `(${[...Object.keys(operands), ...listed, 'name=None'].join(', ')})` },
    attributes: Object.fromEntries(Object.entries(parameters).map(([parameter, [type]]) => [parameter, type])),
    ranksAttribute: 'source_target_pairs' in own ? 'source_target_pairs' : 'replica_group',
    shape: 'own',
    semantics: 'alone',
    lower: 'collective',
    costs: ['dma'],
    engines: ['Sync'],
    generations: ALL,
    summary,
    source,
    ...more,
    operands,
  };
}

const group: Parameters = { replica_group: ['json'] };
/** Another tensor of the same call follows. */
const coalesced: Parameters = { more: ['bool', 'False'] };
const channel: Parameters = { channel: ['int', '0'] };

/** Chunks whose size and place a tensor of metadata says: a row each of counts, displacements, received counts. */
function variable(name: string, summary: string, generations = ALL): InstructionRow {
  return collective(
    name,
    summary,
    { ...group, recv_counts_known: ['bool', 'False'], has_rdispls: ['bool', 'False'] },
    {
      operands: {
        dst: { role: 'inout', spaces: ['hbm'] },
        metadata: { role: 'inout', spaces, dtypes: ['int'] },
        src: { role: 'in', spaces: ['hbm'] },
      },
      generations,
    },
  );
}

export const collectiveRows: readonly InstructionRow[] = [
  collective('all_reduce', 'The reduction of all ranks, at every rank.', { ...group, op: ['alu'], ...coalesced }),
  collective('all_gather', 'The tensors of all ranks, one after the other, at every rank.', {
    ...group,
    collective_dim: ['int'],
    ...coalesced,
  }),
  collective('reduce_scatter', "The reduction of all ranks, each rank's part at that rank.", { ...group, op: ['alu'], ...coalesced }),
  collective('all_to_all', 'Part r of each rank to rank r.', { ...group, ...coalesced }),
  collective('collective_permute', 'Each source rank to its target rank.', { source_target_pairs: ['json'] }),
  collective('collective_permute_implicit', 'Each rank to its successor in a ring.', { ...group, ...coalesced, ...channel }),
  collective(
    'collective_permute_implicit_reduce',
    'op of two tensors to the successor in a ring.',
    { ...group, op: ['alu'], ...channel },
    { operands: { dst: { role: 'out', spaces }, src0: { role: 'in', spaces }, src1: { role: 'in', spaces } }, lower: 'collectiveReduce' },
  ),
  variable('all_gather_v', 'A chunk of each rank, of its own size, at every rank.', ['v3', 'v4']), // with the two cores of LNC2 only
  variable('all_to_all_v', 'A chunk of each rank, of its own size, to each rank.'),
];
