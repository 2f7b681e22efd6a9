/**
 * A piece: the part of a Program that was recorded since the last piece, while its kernel is still running. The front end sends it so
 * that values can be computed before the kernel ends. Tensors and strings are numbered from the beginning of the program, everything else
 * from the beginning of the piece. Written by `nki/_record/program/encoding.py`; the whole Program's format is `codec.ts`.
 */
import { decodeContainer, FormatError } from '../columns/container';
import { checkRange, checkStarts, readGroups } from '../columns/groups';
import { dtypes } from '../vocabulary/dtypes';
import { PROGRAM_COLUMNS } from './codec';
import type { Program, ProgramCode } from './program';

/** `tensors` and `strings` have only the new entries. */
export type ProgramPiece = ProgramCode & Pick<Program, 'tensors' | 'strings'>;

const VERSION = 1;
const { tensors, instructions, operands } = PROGRAM_COLUMNS;

/** Counts of tensors and strings in the earlier pieces. */
export interface Before {
  tensors: number;
  strings: number;
}

/** @throws FormatError when a column is missing or points outside its table. */
export function decodePiece(bytes: Uint8Array, before: Before): ProgramPiece {
  const { version, meta, columns } = decodeContainer(bytes, 'piece');
  if (version !== VERSION) throw new FormatError(`this piece has version ${version}; this version of NKI Scope reads ${VERSION}`);
  const piece = { ...(meta as object), ...readGroups({ tensors, instructions, operands }, columns, 'piece') } as unknown as ProgramPiece;
  for (const key of ['strings', 'operations', 'attributes', 'predicates'] as const)
    if (!Array.isArray(piece[key])) throw new FormatError(`the piece does not say its ${key}`);
  checkIndices(piece, before);
  return piece;
}

function checkIndices(p: ProgramPiece, before: Before) {
  const own = p.tensors.space.length;
  const count = p.operands.slot.length;
  checkRange('operands.tensor', p.operands.tensor, before.tensors + own);
  checkRange('operands.dtype', p.operands.dtype, dtypes.length);
  checkRange('tensors.name', p.tensors.name, before.strings + p.strings.length);
  checkRange('instructions.operation', p.instructions.operation, p.operations.length);
  checkRange('instructions.attributes', p.instructions.attributes, p.attributes.length);
  checkRange('instructions.predicate', p.instructions.predicate, p.predicates.length, -1);
  checkStarts('instructions.operandStart', p.instructions.operandStart, p.instructions.operation.length, count);
  checkStarts('operands.dimStart', p.operands.dimStart, count, p.operands.dimCount.length);
  checkStarts('tensors.shapeStart', p.tensors.shapeStart, own, p.tensors.shapePool.length);
}
