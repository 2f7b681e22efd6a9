/**
 * Decides if values are computed without a request: with `numerics: auto`, for programs with little estimated work. The estimate is not
 * used for simulated times.
 */
import { findRow } from '../isa/table';
import { instructionCount, type Program, tensorCount, tensorElements } from '../program/program';
import { SPACES } from '../vocabulary/spaces';

/** Time that a capture may spend on values that were not requested. */
export const AUTO_LIMIT_MS = 1500;

/** What the plain executor needs, measured on 2026-11-21 with Node 20 on a busy 2-core machine (tensor_tensor and activation of 128 x 512, nc_matmul of
 *  128 x 128 x 512, tensor_tensor of 1 x 1): nanoseconds per element, per multiply-accumulate and per instruction. */
const ELEMENT_NS = 8;
const MULTIPLY_NS = 0.25;
const INSTRUCTION_NS = 4000;

/** Memory that a capture may take for values that were not requested. */
const AUTO_LIMIT_BYTES = 2 ** 30;

/** True for programs whose values cost little: time and memory, on as many ranks as run it. */
export function isCheap(program: Program, ranks = 1, limitMs = AUTO_LIMIT_MS, limitBytes = AUTO_LIMIT_BYTES): boolean {
  return ranks * hbmBytes(program) <= limitBytes && ranks * estimateMs(program) <= limitMs;
}

/** Memory for the values of inputs, outputs and other HBM tensors. */
function hbmBytes(program: Program): number {
  let elements = 0;
  for (let t = 0; t < tensorCount(program); t++) if (SPACES[program.tensors.space[t]] === 'hbm') elements += tensorElements(program, t);
  return elements * Float32Array.BYTES_PER_ELEMENT;
}

/** Semantics that multiply each element of one input with a whole column of the other. */
const CONTRACTIONS: ReadonlySet<string> = new Set(['matmul', 'matmul2d']);

/** Milliseconds to execute the program: by its largest operand per instruction, by K·M·N for matmuls. */
export function estimateMs(program: Program): number {
  const contracts = program.operations.map(name => CONTRACTIONS.has(findRow(name)?.semantics ?? ''));
  const { operation, operandStart } = program.instructions;
  let ns = instructionCount(program) * INSTRUCTION_NS;
  for (let i = 0; i < instructionCount(program); i++) {
    const [first, last] = [operandStart[i], operandStart[i + 1]];
    ns += contracts[operation[i]] ? MULTIPLY_NS * contractionWork(program, first, last) : ELEMENT_NS * largestOperand(program, first, last);
  }
  return ns / 1e6;
}

function largestOperand(program: Program, first: number, last: number): number {
  let largest = 0;
  for (let o = first; o < last; o++) largest = Math.max(largest, operandElements(program, o));
  return largest;
}

/** destination (M·N), and two inputs (K·M, K·N) in any order: sqrt(MN · KM · KN) = K·M·N. */
function contractionWork(program: Program, first: number, last: number): number {
  let product = 1;
  for (let o = first; o < Math.min(last, first + 3); o++) product *= operandElements(program, o);
  return Math.sqrt(product);
}

function operandElements({ operands }: Program, operand: number): number {
  let elements = 1;
  for (let d = operands.dimStart[operand]; d < operands.dimStart[operand + 1]; d++) elements *= operands.dimCount[d];
  return elements;
}
