/**
 * Program <-> column container (kind `program`). Column names are `<group>.<column>`; the rest of the program is the
 * container's meta. The Python front end writes the same (`nki/_record/program/program.py`).
 * Decoding checks sizes and indices, so that later stages never see an index outside of its table.
 */
import { decodeContainer, encodeContainer, FormatError } from '../columns/container';
import { checkParents, checkRange, checkStarts, flattenGroups, readGroups } from '../columns/groups';
import { dtypes } from '../vocabulary/dtypes';
import type { FrameLayers, Program, ProgramMeta } from './program';

const VERSION = 2;

/** Group -> column -> type: the format, and the basis of its check. */
export const PROGRAM_COLUMNS = {
  tensors: { space: 'u8', dtype: 'u8', kind: 'u8', name: 'u32', frame: 'u32', addressBytes: 'f64', shapeStart: 'u32', shapePool: 'u32' },
  frames: { parent: 'i32', file: 'u32', line: 'u32', function: 'u32' },
  iterations: { parent: 'i32', name: 'u32', value: 'i32', line: 'u32' },
  instructions: { operation: 'u16', frame: 'u32', iteration: 'i32', attributes: 'u32', predicate: 'i32', operandStart: 'u32' },
  operands: { slot: 'u8', tensor: 'u32', dtype: 'u8', offset: 'f64', dimStart: 'u32', dimStride: 'i32', dimCount: 'u32' },
} as const;

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
  const columns = flattenGroups(PROGRAM_COLUMNS, program);
  const { nkiVersion, layers } = program;
  const some = { ...(nkiVersion !== undefined && { nkiVersion }), ...(layers && { layers }) };
  const meta = { ...Object.fromEntries(META_KEYS.map(key => [key, program[key]])), ...some };
  return encodeContainer({ kind: 'program', version: VERSION, meta, columns });
}

/** @throws FormatError when a column is missing or points outside its table. */
export function decodeProgram(bytes: Uint8Array): Program {
  const { version, meta, columns } = decodeContainer(bytes, 'program');
  if (version !== VERSION) throw new FormatError(`this program has version ${version}; this version of NKI Scope reads ${VERSION}`);
  const program = { ...pickMeta(meta), ...readGroups(PROGRAM_COLUMNS, columns, 'program') } as unknown as Program;
  checkIndices(program);
  return program;
}

function pickMeta(meta: unknown): ProgramMeta {
  const given = (meta ?? {}) as Record<string, unknown>;
  for (const key of META_KEYS) if (given[key] === undefined) throw new FormatError(`the program does not say its ${key}`);
  return given as unknown as ProgramMeta;
}

function checkIndices(p: Program) {
  const tensors = p.tensors.space.length;
  const operands = p.operands.slot.length;
  checkRange('operands.tensor', p.operands.tensor, tensors);
  checkRange('operands.dtype', p.operands.dtype, dtypes.length);
  checkRange('instructions.operation', p.instructions.operation, p.operations.length);
  checkRange('instructions.frame', p.instructions.frame, p.frames.line.length);
  checkRange('instructions.attributes', p.instructions.attributes, p.attributes.length);
  checkRange('frames.file', p.frames.file, p.files.length);
  checkRange('frames.function', p.frames.function, p.strings.length);
  checkRange('instructions.iteration', p.instructions.iteration, p.iterations.line.length, -1);
  checkRange('instructions.predicate', p.instructions.predicate, p.predicates.length, -1);
  checkRange('iterations.name', p.iterations.name, p.strings.length);
  checkRange('tensors.frame', p.tensors.frame, p.frames.line.length);
  checkRange('tensors.name', p.tensors.name, p.strings.length);
  checkStarts('instructions.operandStart', p.instructions.operandStart, p.instructions.operation.length, operands);
  checkStarts('operands.dimStart', p.operands.dimStart, operands, p.operands.dimCount.length);
  checkStarts('tensors.shapeStart', p.tensors.shapeStart, tensors, p.tensors.shapePool.length);
  if (p.layers) checkLayers(p.layers, p.frames.line.length);
  checkParents('frames.parent', p.frames.parent);
  checkParents('iterations.parent', p.iterations.parent);
}

function checkLayers({ paths, ofFrame }: FrameLayers, frames: number) {
  if (!Array.isArray(paths) || !paths.every(path => typeof path === 'string')) throw new FormatError('layers.paths are not texts');
  if (!Array.isArray(ofFrame) || ofFrame.length !== frames)
    throw new FormatError(`layers.ofFrame has not one entry for each of ${frames} frames`);
  if (!ofFrame.every(Number.isInteger)) throw new FormatError('layers.ofFrame are not whole numbers');
  checkRange('layers.ofFrame', Int32Array.from(ofFrame), paths.length, -1);
}
