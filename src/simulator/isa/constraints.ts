/**
 * Documented restrictions of instructions, in addition to the rules of single operands in their rows. They are data, by row and operand.
 * `program/checks/constraints.ts` implements each kind. All from aws-neuron-sdk nki/api/nki/isa/__init__.py (0.6), in the docstring of
 * the named function.
 */
import type { SizeName } from '../hardware/machine';
import type { Engine } from '../vocabulary/engines';
import type { InstructionSet } from '../vocabulary/generations';

export interface Constraint {
  rows: readonly string[];
  /** Absent: both. */
  dialect?: 'nki' | 'neuronxcc';
  /** Instruction sets; absent: all. */
  generations?: readonly InstructionSet[];
  /** These two operands must not both be in PSUM. */
  notBothInPsum?: readonly [string, string];
  /** The operand must not be in PSUM; `instead`: what to write. */
  notInPsum?: { operand: string; instead: string };
  /** These operands must have the same dtype. */
  sameDtype?: readonly [string, string];
  /** If one of the two is a 4-byte float, the other must be one, too. */
  wideTogether?: readonly [string, string];
  /** The operand has one of these dtypes. */
  dtypes?: { operand: string; names: readonly string[] };
  /** Elements per partition of the operand. */
  free?: { operand: string; min?: number; max?: number; multipleOf?: number };
  /** Partitions of the operand. */
  partitions?: { operand: string; multipleOf: SizeName };
  /** The `engine` attribute is not this one. */
  notOn?: Engine;
  /** Holds only for calls with this attribute value; absent: for all. */
  unless?: { attribute: string; value: boolean };
  /** Holds only for calls with this attribute value. */
  when?: { attribute: string; value: string };
}

export const constraints: readonly Constraint[] = [
  { rows: ['nki.isa.tensor_tensor'], notBothInPsum: ['data1', 'data2'] },
  { rows: ['nki.isa.scalar_tensor_tensor'], notBothInPsum: ['data', 'operand1'] },
  { rows: ['nki.isa.tensor_tensor_scan'], notBothInPsum: ['data0', 'data1'] },
  { rows: ['nki.isa.tensor_copy_predicated'], notBothInPsum: ['src', 'predicate'] },
  { rows: ['nki.isa.select_reduce'], notBothInPsum: ['on_true', 'predicate'] },
  { rows: ['nki.isa.tensor_copy'], dialect: 'nki', generations: ['v2'], notOn: 'Scalar' },
  { rows: ['nki.isa.nc_matmul'], wideTogether: ['stationary', 'moving'] },
  {
    rows: ['nki.isa.nc_matmul'],
    generations: ['v2', 'v3'],
    dtypes: { operand: 'dst', names: ['float32'] },
    unless: { attribute: 'is_transpose', value: true },
  },
  {
    rows: ['nki.isa.nc_matmul_mx'],
    partitions: { operand: 'stationary', multipleOf: 'quadrantPartitions' },
    free: { operand: 'stationary', multipleOf: 2 },
  },
  { rows: ['nki.isa.tensor_copy_predicated'], sameDtype: ['src', 'dst'] },
  { rows: ['nki.isa.nc_n_gather'], sameDtype: ['data', 'dst'] },
  { rows: ['nki.isa.nc_n_gather'], dtypes: { operand: 'indices', names: ['uint32'] } },
  { rows: ['nki.isa.nc_stream_shuffle'], sameDtype: ['src', 'dst'] },
  { rows: ['nki.isa.dropout'], sameDtype: ['data', 'dst'] },
  {
    rows: ['nki.isa.quantize_mx'],
    partitions: { operand: 'src', multipleOf: 'quadrantPartitions' },
    free: { operand: 'src', multipleOf: 4 },
  },
  // nki/migration/index.rst: "dge_mode type matching", "rsqrt — PSUM inputs no longer supported"
  { rows: ['nki.isa.dma_copy'], dialect: 'nki', sameDtype: ['src', 'dst'], when: { attribute: 'dge_mode', value: 'hwdge' } },
  { rows: ['nki.language.rsqrt'], dialect: 'nki', notInPsum: { operand: 'x', instead: 'use nisa.activation with op=nl.rsqrt' } },
  { rows: ['nki.isa.topk'], partitions: { operand: 'src', multipleOf: 'gpsimdPartitions' } },
];

/**
 * Calls that today's compiler refuses: functions (aws-neuron-sdk release-notes/components/nki.rst, "Known Issues" of 0.4.0), and
 * arguments that a function's docstring forbids although the machine could run them.
 */
export interface Refused {
  row: string;
  /** Only if the operand is a number. */
  numberFor?: string;
  /** Only when the attribute is not true. */
  without?: string;
  /** Only when the attribute is true. */
  with?: string;
  /** Only when the axes to reduce are not the last ones of this operand. */
  lastAxesOf?: string;
  /** Only when these two operands have different dtypes. */
  dtypesDiffer?: readonly [string, string];
  instead: string;
}

function overLastAxes(row: string, operand: string): Refused {
  return { row, lastAxesOf: operand, instead: 'the axes to reduce are the last ones, side by side; permute the tile before' };
}

export const refusedByCompiler: readonly Refused[] = [
  { row: 'nki.language.divide', instead: 'multiply by nl.reciprocal' },
  { row: 'nki.language.mod', instead: 'there is no instruction for it' },
  { row: 'nki.language.fmod', instead: 'there is no instruction for it' },
  { row: 'nki.language.power', numberFor: 'y', instead: 'pass the exponent as a tile' },
  ...['sum', 'max', 'min', 'mean', 'prod', 'var', 'all'].map(name => overLastAxes(`nki.language.${name}`, 'x')),
  overLastAxes('nki.isa.tensor_reduce', 'data'),
  { row: 'nki.isa.tensor_scalar_reduce', with: 'reverse0', instead: 'its text calls that not supported yet' },
  // a warning, not an error, because autocomp's attention casts here and has run on hardware
  { row: 'nki.isa.nc_transpose', dtypesDiffer: ['data', 'dst'], instead: 'its text asks for the same dtype; cast in the copy out of PSUM' },
  { row: 'nki.language.matmul', without: 'transpose_x', instead: 'pass the left matrix transposed, with transpose_x=True' },
];

/** Instructions that read only every 16th partition of their operands, whatever the access pattern is (their docstrings). */
export const readsFewPartitions: readonly string[] = ['nki.isa.nonzero_with_count'];
