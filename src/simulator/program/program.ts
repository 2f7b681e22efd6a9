/**
 * The Program: the instructions that a kernel recorded, in their order. It is the only interface between the Python front end and the
 * later stages. It is made of columns, not objects: a million instructions are a few typed arrays.
 *
 * It has API-level rows of the instruction table (`nki.isa.*`, `nki.language.*`), no machine instructions, times or values. It is
 * immutable. `codec.ts` reads and writes it, `verify.ts` checks it, `print.ts` shows it.
 */
import type { Dialect } from '../isa/types';
import type { SourceFile } from '../vocabulary/sourceFile';

export type { SourceFile };

/** Why a tensor exists. `constant`: data known when the kernel was traced (shared_constant). */
export const TENSOR_KINDS = ['internal', 'input', 'output', 'constant'] as const;
export type TensorKind = (typeof TENSOR_KINDS)[number];

/** One row per allocation. Shapes of on-chip tensors start with the partition axis. */
export interface TensorColumns {
  /** Index in `SPACES`. */
  space: Uint8Array;
  /** `Dtype.code`. */
  dtype: Uint8Array;
  /** Index in `TENSOR_KINDS`. */
  kind: Uint8Array;
  /** Index in `strings`. */
  name: Uint32Array;
  /** Frame in which it was allocated. */
  frame: Uint32Array;
  /** Byte address inside each partition when the kernel chose it, else -1. */
  addressBytes: Float64Array;
  /** Start in `shapePool`; one more entry than tensors. */
  shapeStart: Uint32Array;
  shapePool: Uint32Array;
}

/** Source positions as a tree: a frame and its callers inside the user's code. The kernel function is a root (parent -1). */
export interface FrameColumns {
  parent: Int32Array;
  /** Index in `files`. */
  file: Uint32Array;
  /** 1-based. */
  line: Uint32Array;
  /** Function name: index in `strings`. */
  function: Uint32Array;
}

/** Loop iterations as a tree: one row per (enclosing iteration, loop line, value of the loop variable). */
export interface IterationColumns {
  parent: Int32Array;
  /** Loop variable: index in `strings`. */
  name: Uint32Array;
  value: Int32Array;
  /** Line of the `for`, 1-based, in the file of the instruction's frame. */
  line: Uint32Array;
}

/** The named layers (of a model, of a kernel) that frames lie in. */
export interface FrameLayers {
  /** Paths, `model/layers.0/attention`. */
  paths: string[];
  /** Of each frame, an index in `paths`, or -1. */
  ofFrame: number[];
}

export interface InstructionColumns {
  /** Index in `Program.operations`. */
  operation: Uint16Array;
  frame: Uint32Array;
  /** Index of an iteration, or -1 outside loops. */
  iteration: Int32Array;
  /** Index in `attributes`. */
  attributes: Uint32Array;
  /** Index in `predicates`, or -1. */
  predicate: Int32Array;
  /** First operand; one more entry than instructions. */
  operandStart: Uint32Array;
}

/**
 * Access patterns. Element (i0, i1, ...) of the operand is element `offset + sum(i_k * stride_k)` of the tensor, flattened
 * row-major. A stride of 0 broadcasts. On chip the first dimension walks partitions: its stride is a multiple of the
 * tensor's elements per partition (or its count is 1).
 */
export interface OperandColumns {
  /** Index in the row's `operands`. */
  slot: Uint8Array;
  tensor: Uint32Array;
  /** `Dtype.code` of the elements that the operand reads; offset and strides count these elements. Usually the tensor's dtype. */
  dtype: Uint8Array;
  /** Elements. */
  offset: Float64Array;
  /** First dimension in `dimStride`/`dimCount`; one more entry than operands. */
  dimStart: Uint32Array;
  /** Elements. */
  dimStride: Int32Array;
  dimCount: Uint32Array;
}

/**
 * A conjunction of `sum(coefficients[k] * i_k) + constant >= 0` over the destination's dimensions: the part of `mask=` that access
 * patterns cannot express (such as triangles). Elements outside are not written.
 */
export interface Predicate {
  terms: { coefficients: number[]; constant: number }[];
}

export type AttributeValue = string | number | boolean | null | AttributeValue[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface ProgramMeta {
  kernel: string;
  dialect: Dialect;
  /** `trn1`, `trn2` or `trn3`. */
  target: string;
  /** Version of NKI that a kernel of today’s dialect is written for; absent: the newest. Of a legacy kernel that of the software that runs it; absent: software before 2026. */
  nkiVersion?: string;
  grid: number[];
  /** Legacy kernels marked `skip_middle_end_transformations`, and all of the `nki` dialect, run as written. */
  literal: boolean;
  files: SourceFile[];
  strings: string[];
  /** Row names of the instruction table. */
  operations: string[];
  attributes: Attributes[];
  predicates: Predicate[];
  inputs: { name: string; tensor: number }[];
  outputs: { name: string; tensor: number }[];
  /** Absent: nothing was recorded in a named layer. */
  layers?: FrameLayers;
}

export interface Program extends ProgramMeta {
  tensors: TensorColumns;
  frames: FrameColumns;
  iterations: IterationColumns;
  instructions: InstructionColumns;
  operands: OperandColumns;
}

/** The parts of a program that are needed to execute its instructions. */
export type ProgramCode = Pick<Program, 'operations' | 'attributes' | 'predicates' | 'instructions' | 'operands'>;

/** The allocations, with their names. */
export type ProgramTensors = Pick<Program, 'tensors' | 'strings'>;

export const tensorCount = (p: ProgramTensors) => p.tensors.space.length;
export const instructionCount = (p: ProgramCode) => p.instructions.operation.length;

export function tensorShape(p: ProgramTensors, tensor: number): Uint32Array {
  return p.tensors.shapePool.subarray(p.tensors.shapeStart[tensor], p.tensors.shapeStart[tensor + 1]);
}

export function tensorElements(p: ProgramTensors, tensor: number): number {
  return tensorShape(p, tensor).reduce((n, d) => n * d, 1);
}
