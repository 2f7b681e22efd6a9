/**
 * One flat row-major array per tensor, made on first access: from given values, or filled with the marks of unwritten elements, or from a
 * released array of another tensor.
 */

import { type ProgramTensors, TENSOR_KINDS, tensorElements } from '../program/program';
import { type Dtype, dtypes } from '../vocabulary/dtypes';
import { ExecutionError } from './errors';
import { rounder } from './formats';
import { checkBytes } from './limits';
import { gather } from './moves';
import type { Pattern } from './patterns';
import { isRounded, roundGiven, type Values } from './rounding';
import { scratch } from './scratch';
import { Spares } from './spares';

export type TensorStorage = Float32Array | Int32Array | Uint32Array;

/** The elements of a pattern in the array of another tensor. */
interface Loan {
  source: number;
  from: Float32Array;
  pattern: Pattern;
  /** Version of the content of `from`. It changes with the content. */
  version: number;
}

let lastVersion = 0;

/** Values of an input or constant tensor in row-major order, or null if there are none. They must not change during the run. */
export type Inputs = (tensor: number) => Values | null;

/** By how a dtype is stored. */
export const STORAGE = { f32: Float32Array, i32: Int32Array, u32: Uint32Array } as const;
/** Of an execution in double precision: its floats are doubles, held by the same code. WebAssembly leaves them to plain loops. */
export const DOUBLE_STORAGE = { ...STORAGE, f32: Float64Array as unknown as typeof Float32Array } as const;
const UNINITIALISED_INTEGER = 4;

export class Storages {
  private readonly arrays = new Map<number, TensorStorage>();
  private readonly loans = new Map<number, Loan>();
  /** Of arguments that are lent, until they are written. */
  private readonly versions = new Map<number, number>();
  /** Tensors whose array is the given one: until they are written. */
  private readonly borrowed = new Set<number>();
  /** Spare arrays for tensors that do not pass. */
  private readonly spares = new Spares((Elements, length) => new Elements(length));

  /** @param passes tensors that will be released: their values are in the memory of WebAssembly. */
  constructor(
    private readonly program: ProgramTensors,
    private readonly inputs: Inputs,
    private readonly passes: (tensor: number) => boolean,
    private readonly kinds: typeof STORAGE = STORAGE,
  ) {}

  /** To be read only. */
  read(tensor: number): TensorStorage {
    const known = this.arrays.get(tensor) ?? this.settle(tensor);
    return known ?? this.keep(tensor, this.create(tensor));
  }

  /**
   * Lets a tensor share the elements of a pattern of another one, without a copy, until one of them changes. For arguments only, which
   * usually do not change. @returns whether it does
   */
  lend(source: number, pattern: Pattern, tensor: number): boolean {
    if (!this.passes(tensor) || !this.passes(source) || !this.given(source)) return false;
    const from = this.read(source);
    if (!(from instanceof Float32Array)) return false;
    this.forget(tensor);
    const version = this.versions.get(source) ?? ++lastVersion;
    this.versions.set(source, version);
    this.loans.set(tensor, { source, from, pattern, version });
    return true;
  }

  /** The elements that a tensor shares; null if it has its own array. They must not be changed. */
  lent(tensor: number): Loan | null {
    return this.loans.get(tensor) ?? null;
  }

  /** Copies shared elements to the tensor's own array. */
  private settle(tensor: number): TensorStorage | null {
    const loan = this.loans.get(tensor);
    if (!loan) return null;
    this.loans.delete(tensor);
    const array = this.keep(tensor, this.empty(tensor, tensorElements(this.program, tensor)));
    gather(loan.from, loan.pattern, array);
    return array;
  }

  /** The tensor is about to change: copies its parts to all that refer to them. */
  private settleLoansOf(source: number): void {
    if (this.versions.delete(source)) for (const [tensor, loan] of this.loans) if (loan.source === source) this.settle(tensor);
  }

  /** The array, for a write to a part of it. */
  write(tensor: number): TensorStorage {
    this.settleLoansOf(tensor);
    const array = this.read(tensor);
    return this.borrowed.delete(tensor) ? this.keep(tensor, array.slice()) : array;
  }

  /** The array, for a write to all of it. It is not filled with marks of unwritten elements first. */
  overwrite(tensor: number): TensorStorage {
    this.loans.delete(tensor);
    const fresh = !this.arrays.has(tensor) && !this.given(tensor);
    return fresh ? this.keep(tensor, this.empty(tensor, tensorElements(this.program, tensor))) : this.write(tensor);
  }

  /** Forgets a tensor's values; another tensor will use the array. */
  release(tensor: number): void {
    this.settleLoansOf(tensor);
    this.forget(tensor);
  }

  private forget(tensor: number): void {
    this.loans.delete(tensor);
    const array = this.arrays.get(tensor);
    this.arrays.delete(tensor);
    if (array && !this.borrowed.delete(tensor)) this.sparesOf(tensor).give(array);
  }

  private keep(tensor: number, array: TensorStorage): TensorStorage {
    this.arrays.set(tensor, array);
    return array;
  }

  private dtype(tensor: number): Dtype {
    return dtypes[this.program.tensors.dtype[tensor]];
  }

  private given(tensor: number): Values | null {
    const kind = TENSOR_KINDS[this.program.tensors.kind[tensor]];
    return kind === 'input' || kind === 'constant' ? this.inputs(tensor) : null;
  }

  private sparesOf(tensor: number): Spares {
    return this.passes(tensor) && this.kinds === STORAGE ? scratch().tiles : this.spares;
  }

  /** Its content is undefined. */
  private empty(tensor: number, elements: number): TensorStorage {
    checkBytes(elements * Float32Array.BYTES_PER_ELEMENT, nameOf(this.program, tensor));
    return this.sparesOf(tensor).take(this.kinds[this.dtype(tensor).storage], elements);
  }

  private create(tensor: number): TensorStorage {
    const type = this.dtype(tensor);
    const elements = tensorElements(this.program, tensor);
    const given = this.given(tensor);
    if (!given) return this.empty(tensor, elements).fill(type.class === 'float' ? Number.NaN : UNINITIALISED_INTEGER);
    if (given.length !== elements)
      throw new ExecutionError(`${nameOf(this.program, tensor)} has ${elements} elements, but ${given.length} values were given`);
    if (this.isDouble && type.class === 'float') return this.keptAsGiven(tensor, given);
    if (!(given instanceof Float32Array) || this.passes(tensor) || !isRounded(type.name, given)) return this.roundedCopy(tensor, given);
    this.borrowed.add(tensor);
    return given;
  }

  private get isDouble(): boolean {
    return this.kinds !== STORAGE;
  }

  /** As the program's own dtype rounds them: both executions begin with the same numbers. */
  private keptAsGiven(tensor: number, given: Values): TensorStorage {
    const round = rounder(this.dtype(tensor).name);
    const array = this.empty(tensor, given.length);
    for (let i = 0; i < given.length; i++) array[i] = round(given[i]);
    return array;
  }

  private roundedCopy(tensor: number, given: Values): TensorStorage {
    const { name } = this.dtype(tensor);
    const array = this.empty(tensor, given.length);
    if (given instanceof Float32Array && array instanceof Float32Array) roundGiven(name, given, array);
    else {
      const round = rounder(name);
      for (let i = 0; i < given.length; i++) array[i] = round(given[i]);
    }
    return array;
  }
}

export const nameOf = ({ strings, tensors }: ProgramTensors, tensor: number) => strings[tensors.name[tensor]];
