/**
 * Registers and hardware loops, which the sequencers of the engines run. The front end knows every register's value when it records,
 * because it executes the instructions that the value depends on. The rows have this value as an attribute.
 * `_record/control/registers.py` has the Python functions.
 */
import { BRANCH, HARDWARE_LOOP } from '../../vocabulary/registerOpcodes';
import type { InstructionRow } from '../types';
import { ALL } from './shared';

const memory = ['hbm', 'sbuf'] as const;
const source = 'aws-neuron-sdk nki/api/nki/isa/__init__.py; nki/deep-dives/nki-dynamic-loops.rst';
const scalarSource = 'nki.isa.scalar_load, nki.isa.scalar_store and nki/deep-dives/nki-scalar of NKI 0.7';

/** The fields in which these rows differ. Every engine has a sequencer with registers, which runs one instruction at a time. */
type Own = Pick<InstructionRow, 'name' | 'signature' | 'summary'> & Partial<InstructionRow> & { opcode: string };

const row = ({ opcode, ...own }: Own): InstructionRow => ({
  operands: {},
  attributes: { value: 'int' },
  fixed: { opcode },
  shape: 'none',
  semantics: 'nothing',
  lower: 'register',
  costs: ['register'],
  engines: ['Sync', 'Tensor', 'Vector', 'Scalar', 'GpSimd'],
  generations: ALL,
  source,
  ...own,
});

export const registerRows: readonly InstructionRow[] = [
  row({
    name: 'nki.isa.register_move',
    signature: { nki: '(dst, src)' },
    opcode: 'MOVE',
    summary: 'Puts an integer or the value of another register into a register.',
  }),
  row({
    name: 'nki.isa.register_load',
    signature: { nki: '(dst, src)' },
    operands: { src: { role: 'in', spaces: memory } },
    opcode: 'TENSOR_LOAD',
    summary: 'Reads one element of HBM or SBUF into a register.',
  }),
  row({
    name: 'nki.isa.register_store',
    signature: { nki: '(dst, src)' },
    operands: { dst: { role: 'out', spaces: memory } },
    opcode: 'TENSOR_STORE',
    semantics: 'fill',
    summary: 'Writes the value of a register to one element of HBM or SBUF.',
  }),
  row({
    name: 'nki.isa.scalar_load',
    signature: { nki: '(src)' },
    operands: { src: { role: 'in', spaces: memory, dtypes: ['int32'] } },
    opcode: 'TENSOR_LOAD',
    summary: 'Reads one int32 or int64 of HBM or SBUF as an NkiScalar, which moves views and, of int32, bounds loops.',
    source: scalarSource,
  }),
  row({
    name: 'nki.isa.scalar_store',
    signature: { nki: '(dst, value)' },
    operands: { dst: { role: 'out', spaces: memory, dtypes: ['int32'] } },
    attributes: { value: 'int', high: 'int' },
    opcode: 'TENSOR_STORE',
    semantics: 'fill',
    summary: 'Writes the bits of an NkiScalar to one element of HBM or SBUF of as many bytes.',
    source: scalarSource,
  }),
  row({
    name: HARDWARE_LOOP,
    signature: { nki: '(start, stop=None, step=1)' },
    attributes: {},
    opcode: BRANCH,
    summary: 'A loop that the sequencers run, with bounds from registers: one branch for each iteration.',
  }),
];
