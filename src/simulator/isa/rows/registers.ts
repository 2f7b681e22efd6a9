/**
 * Registers and hardware loops: what the sequencers of the engines do. The front end knows every register's value when it
 * records (it executes what the value depends on), so the rows carry it; their Python functions are `_record/registers.py`'s.
 */
import type { InstructionRow } from '../types';
import { ALL } from './shared';

const memory = ['hbm', 'sbuf'] as const;
const source = 'aws-neuron-sdk nki/api/nki/isa/__init__.py; nki/deep-dives/nki-dynamic-loops.rst';

export const registerRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.register_move',
    signature: { nki: '(dst, src)' },
    operands: {},
    attributes: { value: 'int' },
    fixed: { opcode: 'MOVE' },
    shape: 'none',
    semantics: 'nothing',
    lower: 'register',
    costs: ['gpsimd'],
    engines: ['Sync', 'Tensor', 'Vector', 'Scalar', 'GpSimd'],
    generations: ALL,
    summary: 'Puts an integer or the value of another register into a register.',
    source,
  },
  {
    name: 'nki.isa.register_load',
    signature: { nki: '(dst, src)' },
    operands: { src: { role: 'in', spaces: memory } },
    attributes: { value: 'int' },
    fixed: { opcode: 'TENSOR_LOAD' },
    shape: 'none',
    semantics: 'nothing',
    lower: 'register',
    costs: ['gpsimd'],
    engines: ['Sync', 'Tensor', 'Vector', 'Scalar', 'GpSimd'],
    generations: ALL,
    summary: 'Reads one element of HBM or SBUF into a register.',
    source,
  },
  {
    name: 'nki.isa.register_store',
    signature: { nki: '(dst, src)' },
    operands: { dst: { role: 'out', spaces: memory } },
    attributes: { value: 'int' },
    fixed: { opcode: 'TENSOR_STORE' },
    shape: 'none',
    semantics: 'fill',
    lower: 'register',
    costs: ['gpsimd'],
    engines: ['Sync', 'Tensor', 'Vector', 'Scalar', 'GpSimd'],
    generations: ALL,
    summary: 'Writes the value of a register to one element of HBM or SBUF.',
    source,
  },
  {
    name: 'nki.language.dynamic_range',
    signature: { nki: '(start, stop=None, step=1)' },
    operands: {},
    attributes: {},
    fixed: { opcode: 'COMPARE_BRANCH' },
    shape: 'none',
    semantics: 'nothing',
    lower: 'register',
    costs: ['gpsimd'],
    engines: ['Sync', 'Tensor', 'Vector', 'Scalar', 'GpSimd'],
    generations: ALL,
    summary: 'A loop that the sequencers run, with bounds from registers: one branch for each iteration.',
    source,
  },
];
