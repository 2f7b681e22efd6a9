/** A Program as text, one line per instruction, for goldens and bug reports. No code reads this text back. */

import { findRow } from '../isa/table';
import { dtypes } from '../vocabulary/dtypes';
import { SPACES } from '../vocabulary/spaces';
import { instructionCount, type Program, TENSOR_KINDS, tensorCount, tensorShape } from './program';

export function printProgram(p: Program): string {
  const head = `kernel ${p.kernel} (${p.dialect}, ${p.target}${p.literal ? ', literal' : ''}) grid [${p.grid}]`;
  const tensors = Array.from({ length: tensorCount(p) }, (_, t) => printTensor(p, t));
  const instructions = Array.from({ length: instructionCount(p) }, (_, i) => printInstruction(p, i));
  return [head, ...tensors, ...instructions, ''].join('\n');
}

function printTensor(p: Program, t: number): string {
  const kind = TENSOR_KINDS[p.tensors.kind[t]];
  const address = p.tensors.addressBytes[t] < 0 ? '' : ` at ${p.tensors.addressBytes[t]}`;
  return `  %${t} ${p.strings[p.tensors.name[t]]}: ${dtypes[p.tensors.dtype[t]].name}[${tensorShape(p, t)}] ${SPACES[p.tensors.space[t]]} ${kind}${address}`;
}

function printInstruction(p: Program, i: number): string {
  const { operation, operandStart, attributes, predicate, frame } = p.instructions;
  const name = p.operations[operation[i]];
  const slots = Object.keys(findRow(name)?.operands ?? {});
  const operands: string[] = [];
  for (let o = operandStart[i]; o < operandStart[i + 1]; o++)
    operands.push(`${slots[p.operands.slot[o]] ?? p.operands.slot[o]}=${printPattern(p, o)}`);
  const given = Object.entries(p.attributes[attributes[i]]).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const masked = predicate[i] < 0 ? [] : [`predicate=${JSON.stringify(p.predicates[predicate[i]].terms)}`];
  const where = `${p.strings[p.frames.function[frame[i]]]}:${p.frames.line[frame[i]]}${printIterations(p, i)}`;
  return `  ${i} ${name} ${[...operands, ...given, ...masked].join(' ')}  # ${where}`;
}

/** `%tensor+offset[count*stride,...]`. */
function printPattern(p: Program, o: number): string {
  const { tensor, dtype, offset, dimStart, dimStride, dimCount } = p.operands;
  const dims: string[] = [];
  for (let d = dimStart[o]; d < dimStart[o + 1]; d++) dims.push(`${dimCount[d]}*${dimStride[d]}`);
  const as = dtype[o] === p.tensors.dtype[tensor[o]] ? '' : ` as ${dtypes[dtype[o]].name}`;
  return `%${tensor[o]}${as}${offset[o] === 0 ? '' : `+${offset[o]}`}[${dims}]`;
}

function printIterations(p: Program, i: number): string {
  const parts: string[] = [];
  for (let it = p.instructions.iteration[i]; it >= 0; it = p.iterations.parent[it])
    parts.unshift(`${p.strings[p.iterations.name[it]]}=${p.iterations.value[it]}`);
  return parts.length === 0 ? '' : ` ${parts.join(' ')}`;
}
