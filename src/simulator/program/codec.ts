/**
 * Program <-> column container (kind `program`). Column names are `<group>.<column>`; the rest of the program is the
 * container's meta. The Python front end writes the same (`nki/_record/program.py`).
 * Checks sizes and indices on the way in, so that what is behind never meets an index outside its table.
 */
import { type Columns, decodeContainer, encodeContainer, FormatError } from '../columns/container';
import type { Program, ProgramMeta } from './program';

const VERSION = 1;

/** Group -> column -> type: the format, and the check of it. */
export const PROGRAM_COLUMNS = {
  tensors: { space: 'u8', dtype: 'u8', kind: 'u8', name: 'u32', frame: 'u32', addressBytes: 'f64', shapeStart: 'u32', shapePool: 'u32' },
  frames: { parent: 'i32', file: 'u32', line: 'u32', function: 'u32' },
  iterations: { parent: 'i32', name: 'u32', value: 'i32', line: 'u32' },
  instructions: { operation: 'u16', frame: 'u32', iteration: 'i32', attributes: 'u32', predicate: 'i32', operandStart: 'u32' },
  operands: { slot: 'u8', tensor: 'u32', offset: 'f64', dimStart: 'u32', dimStride: 'i32', dimCount: 'u32' },
} as const;

type Group = keyof typeof PROGRAM_COLUMNS;
const GROUPS = Object.keys(PROGRAM_COLUMNS) as Group[];
const META_KEYS: (keyof ProgramMeta)[] = [
  'kernel',
  'dialect',
  'target',
  'grid',
  'literal',
  'files',
  'strings',
  'operations',
  'attributes',
  'predicates',
  'inputs',
  'outputs',
];

export function encodeProgram(program: Program): Uint8Array {
  const columns: Columns = {};
  for (const group of GROUPS)
    for (const name of Object.keys(PROGRAM_COLUMNS[group])) columns[`${group}.${name}`] = (program[group] as unknown as Columns)[name];
  const meta = Object.fromEntries(META_KEYS.map(key => [key, program[key]]));
  return encodeContainer({ kind: 'program', version: VERSION, meta, columns });
}

/** @throws FormatError when a column is missing or points outside its table. */
export function decodeProgram(bytes: Uint8Array): Program {
  const { version, meta, columns } = decodeContainer(bytes, 'program');
  if (version !== VERSION) throw new FormatError(`this program has version ${version}; this version of NKI Scope reads ${VERSION}`);
  const groups = GROUPS.map(group => [group, readGroup(group, columns)]);
  const program = { ...pickMeta(meta), ...Object.fromEntries(groups) } as Program;
  checkIndices(program);
  return program;
}

function readGroup(group: Group, columns: Columns): Columns {
  const result: Columns = {};
  for (const name of Object.keys(PROGRAM_COLUMNS[group])) {
    const column = columns[`${group}.${name}`];
    if (!column) throw new FormatError(`the program has no column ${group}.${name}`);
    result[name] = column;
  }
  return result;
}

function pickMeta(meta: unknown): ProgramMeta {
  const given = (meta ?? {}) as Record<string, unknown>;
  for (const key of META_KEYS) if (given[key] === undefined) throw new FormatError(`the program does not say its ${key}`);
  return given as unknown as ProgramMeta;
}

function checkIndices(p: Program) {
  const tensors = p.tensors.space.length;
  const operands = p.operands.slot.length;
  inRange('operands.tensor', p.operands.tensor, tensors);
  inRange('instructions.operation', p.instructions.operation, p.operations.length);
  inRange('instructions.frame', p.instructions.frame, p.frames.line.length);
  inRange('instructions.attributes', p.instructions.attributes, p.attributes.length);
  inRange('frames.file', p.frames.file, p.files.length);
  inRange('frames.function', p.frames.function, p.strings.length);
  inRange('tensors.name', p.tensors.name, p.strings.length);
  ascending('instructions.operandStart', p.instructions.operandStart, p.instructions.operation.length, operands);
  ascending('operands.dimStart', p.operands.dimStart, operands, p.operands.dimCount.length);
  ascending('tensors.shapeStart', p.tensors.shapeStart, tensors, p.tensors.shapePool.length);
  parents('frames.parent', p.frames.parent);
  parents('iterations.parent', p.iterations.parent);
}

function inRange(name: string, column: ArrayLike<number>, limit: number) {
  for (let i = 0; i < column.length; i++) if (column[i] >= limit) throw new FormatError(`${name}[${i}] is ${column[i]}, beyond ${limit}`);
}

function ascending(name: string, starts: Uint32Array, rows: number, end: number) {
  if (starts.length !== rows + 1 || starts[0] !== 0 || starts[rows] !== end) throw new FormatError(`${name} does not cover its pool`);
  for (let i = 0; i < rows; i++) if (starts[i] > starts[i + 1]) throw new FormatError(`${name} goes back at row ${i}`);
}

/** Parents come before their children: no cycles. */
function parents(name: string, column: Int32Array) {
  for (let i = 0; i < column.length; i++)
    if (column[i] >= i || column[i] < -1) throw new FormatError(`${name}[${i}] is ${column[i]}: a parent must come first`);
}
