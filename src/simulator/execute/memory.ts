/**
 * The tensors' values, read and written through access patterns. Writing rounds. `semantics/` computes values, and `storages.ts` makes
 * the arrays.
 *
 * Elements that were never written read as NaN (floats) or 4 (integers), as in AWS's simulator (aws-neuron-sdk
 * nki/guides/nki_simulator.rst "Uninitialized Memory Detection").
 */

import { type ProgramTensors, tensorCount, tensorElements, tensorShape } from '../program/program';
import { type Dtype, dtypes } from '../vocabulary/dtypes';
import { SPACES } from '../vocabulary/spaces';
import { ExecutionError } from './errors';
import { rounder } from './formats';
import type { StridedMatrix } from './kernels';
import { fill, gather, scatter, transfer } from './moves';
import { type Access, extent, isWhole, merge, type Pattern, product, runFrom } from './patterns';
import { packBits, readBits, unpackBits, writeBits } from './reinterpret';
import { roundInPlace } from './rounding';
import { type ScratchArea, scratch } from './scratch';
import { DOUBLE_STORAGE, type Inputs, nameOf, STORAGE, Storages, type TensorStorage } from './storages';
import { WrittenBytes } from './written';

export type { Inputs, TensorStorage } from './storages';

const HBM = SPACES.indexOf('hbm');
const PSUM = SPACES.indexOf('psum');

export class TensorMemory {
  private readonly storages: Storages;
  private readonly kinds: typeof STORAGE;
  /** Tensors that were accessed as another dtype than their own. From then on they are stored as bytes, so that no bit is lost. */
  private readonly bytes = new Map<number, Uint8Array>();
  /** Written bytes of PSUM tensors. */
  private readonly written: WrittenBytes;
  private readonly released: Uint8Array;

  /** @param passes tensors that will be released. */
  constructor(
    private readonly program: ProgramTensors,
    inputs: Inputs,
    passes: (tensor: number) => boolean = () => false,
    /** Floats are doubles, and are not rounded. */
    readonly isDouble = false,
  ) {
    this.kinds = isDouble ? DOUBLE_STORAGE : STORAGE;
    this.storages = new Storages(program, inputs, passes, this.kinds);
    this.released = new Uint8Array(tensorCount(program));
    this.written = new WrittenBytes(tensor => tensorElements(program, tensor) * this.dtype(tensor).sizeBytes);
  }

  dtype(tensor: number): Dtype {
    return dtypes[this.program.tensors.dtype[tensor]];
  }

  inPsum(tensor: number): boolean {
    return this.program.tensors.space[tensor] === PSUM;
  }

  /** The partition of the first element that a pattern over an on-chip tensor touches, counted from the tensor's own first. */
  partition(operand: Access): number {
    const [partitions] = tensorShape(this.program, operand.tensor);
    return Math.floor(operand.offset / (this.elements(operand) / partitions));
  }

  /** The partition of each row of an access; for HBM, the partition that the row would have if the tensor were loaded. */
  lane(access: Access, partitions: number): (row: number) => number {
    const first = this.program.tensors.space[access.tensor] === HBM ? 0 : this.partition(access);
    return row => (first + row) % partitions;
  }

  /**
   * All values of a tensor: the storage itself, which must not be changed, unless it is stored as bytes.
   * @throws ExecutionError for a tensor that was released.
   */
  storage(tensor: number): TensorStorage {
    this.checkKept(tensor);
    const bytes = this.bytes.get(tensor);
    return bytes ? unpackBits(this.dtype(tensor), bytes) : this.storages.read(tensor);
  }

  /** Releases a tensor's values, so that another tensor can use the array. */
  release(tensor: number): void {
    this.released[tensor] = 1;
    this.storages.release(tensor);
    this.bytes.delete(tensor);
    this.written.forget(tensor);
  }

  /** Index in `SPACES`. */
  space(tensor: number): number {
    return this.program.tensors.space[tensor];
  }

  name(tensor: number): string {
    return nameOf(this.program, tensor);
  }

  /** Elements of the accessed dtype in the whole tensor. */
  elements({ tensor, dtype }: Access): number {
    return (tensorElements(this.program, tensor) * this.dtype(tensor).sizeBytes) / dtype.sizeBytes;
  }

  /** The tensor's bytes if it is or was accessed as another dtype; else null. */
  private held({ tensor, dtype }: Access): Uint8Array | null {
    const held = this.bytes.get(tensor);
    if (held || dtype === this.dtype(tensor)) return held ?? null;
    const bytes = packBits(this.dtype(tensor), this.storage(tensor));
    this.storages.release(tensor);
    this.bytes.set(tensor, bytes);
    return bytes;
  }

  /** An array for `count` elements of a dtype, in their own class. */
  static array(dtype: Dtype, { buffer, offset }: ScratchArea, count: number): TensorStorage {
    return new STORAGE[dtype.storage](buffer as ArrayBuffer, offset, count);
  }

  /** Reads through a pattern, cast by the class of `out`. */
  read(access: Access, out: TensorStorage): void {
    this.check(access);
    const bytes = this.held(access);
    if (bytes) readBits(access.dtype, bytes, access, out);
    else {
      const { from, pattern } = this.lying(access);
      gather(from, pattern, out);
    }
  }

  /**
   * Rounds `values` to the accessed dtype and writes them. float32 values are cast; integer arrays are elements already.
   * @param values scratch: rounded in place.
   * @param holds 1 for the elements to write; absent: all.
   */
  write(access: Access, values: TensorStorage, holds: Uint8Array | null): void {
    this.writeElements(access, this.rounded(access.dtype, values), holds);
  }

  /** Elements of a dtype: float32 values are rounded in place, or cast; integer arrays are elements already. */
  private rounded(dtype: Dtype, values: TensorStorage): TensorStorage {
    if (!(values instanceof this.kinds.f32)) return values;
    if (dtype.storage !== 'f32') return cast(dtype, values);
    if (this.isDouble) return values;
    roundInPlace(dtype.name, values);
    return values;
  }

  /** Writes values that are elements of the accessed dtype already. */
  writeElements(access: Access, elements: TensorStorage, holds: Uint8Array | null): void {
    this.check(access);
    if (holds) this.keepOld(access, elements, holds);
    this.put(access, elements);
    if (this.inPsum(access.tensor)) this.written.mark(access, holds);
  }

  private put(access: Access, elements: TensorStorage): void {
    const bytes = this.held(access);
    if (bytes) writeBits(access.dtype, bytes, access, elements);
    else scatter(elements, access, this.target(access));
  }

  /**
   * The elements of an access as so many rows in the storage, which must not be changed; null unless they are floats and in contiguous
   * rows.
   */
  matrix(access: Access, rows: number): StridedMatrix | null {
    this.check(access);
    if (this.held(access)) return null;
    const { from, pattern, version } = this.lying(access);
    const matrix = from instanceof Float32Array ? rowsIn(from, pattern, rows) : null;
    return matrix && { ...matrix, version };
  }

  /** The array with the elements of an access: the tensor's own, or that of the tensor from which they were copied. */
  private lying(access: Access): { from: TensorStorage; pattern: Pattern; version?: number } {
    this.checkKept(access.tensor);
    const lent = isWhole(access, tensorElements(this.program, access.tensor)) ? this.storages.lent(access.tensor) : null;
    return lent ?? { from: this.storage(access.tensor), pattern: access };
  }

  /**
   * The elements of an access in the storage, for writing in place; null unless they are contiguous float32.
   * @param fresh what they hold will not be read.
   */
  open(access: Access, fresh: boolean): Float32Array | null {
    this.check(access);
    if (access.dtype.name !== 'float32' || this.held(access) || runFrom(access) < 0) return null;
    const elements = floatsIn(fresh ? this.target(access) : this.storages.write(access.tensor), access);
    if (this.inPsum(access.tensor)) this.written.mark(access, null);
    return elements;
  }

  /** The storage that an access writes. */
  private target(access: Access): TensorStorage {
    this.checkKept(access.tensor);
    const whole = isWhole(access, tensorElements(this.program, access.tensor));
    return whole ? this.storages.overwrite(access.tensor) : this.storages.write(access.tensor);
  }

  /**
   * Copies the elements of one access directly to another of the same dtype.
   * @returns false, without a copy, if that is not simple: both of one tensor, bits of another dtype, steps on both sides.
   */
  copy(from: Access, to: Access): boolean {
    this.check(from);
    this.check(to);
    if (from.tensor === to.tensor || this.held(from) || this.held(to)) return false;
    if (!this.inPsum(to.tensor) && isWhole(to, tensorElements(this.program, to.tensor)) && this.storages.lend(from.tensor, from, to.tensor))
      return true;
    const source = this.storage(from.tensor);
    if (!transfer(source, from, this.target(to), to)) return false;
    if (this.inPsum(to.tensor)) this.written.mark(to, null);
    return true;
  }

  /** Elements at addresses counted in the accessed dtype; where the address is -1, `out` stays as it is. */
  readAt(access: Access, at: Int32Array, out: TensorStorage): void {
    const bytes = this.held(access);
    const from = bytes ? unpackBits(access.dtype, bytes) : this.storage(access.tensor);
    for (let i = 0; i < at.length; i++) if (at[i] >= 0) out[i] = from[at[i]];
  }

  /** Rounds `values` as `write` does and puts each at its address; -1 is nowhere. */
  writeAt(access: Access, at: Int32Array, values: TensorStorage): void {
    const elements = this.rounded(access.dtype, values);
    this.change(access, all => {
      for (let i = 0; i < at.length; i++) if (at[i] >= 0) all[at[i]] = elements[i];
    });
  }

  /** `element = combine(element, value)` at each address, in float32, rounded after each. */
  updateAt(access: Access, at: Int32Array, values: Float32Array, combine: (a: number, b: number) => number): void {
    const round = this.isDouble && access.dtype.storage === 'f32' ? (x: number) => x : (x: number) => rounded(Math.fround(x));
    const rounded = rounder(access.dtype.name);
    this.change(access, all => {
      for (let i = 0; i < at.length; i++) if (at[i] >= 0) all[at[i]] = round(combine(all[at[i]], values[i]));
    });
  }

  /** Lets `edit` change the tensor's elements of the accessed dtype. */
  private change(access: Access, edit: (all: TensorStorage) => void): void {
    const bytes = this.held(access);
    const all = bytes ? unpackBits(access.dtype, bytes) : this.storages.write(access.tensor);
    edit(all);
    if (bytes) bytes.set(packBits(access.dtype, all));
    if (this.inPsum(access.tensor)) this.written.mark({ ...access, offset: 0, strides: [1], counts: [all.length] }, null);
  }

  /** Writes one number everywhere; exact for every integer of the dtype. */
  writeConstant(access: Access, value: number): void {
    this.check(access);
    const element = this.isDouble && access.dtype.storage === 'f32' ? value : rounder(access.dtype.name)(value);
    if (this.held(access)) this.put(access, new this.kinds[access.dtype.storage](product(access.counts)).fill(element));
    else fill(element, access, this.target(access));
    if (this.inPsum(access.tensor)) this.written.mark(access, null);
  }

  /** For a PSUM tensor: 1 for each element of the pattern that was written before; or that all or none of them were. */
  readWritten(access: Access): Uint8Array | 'all' | 'none' {
    return this.written.read(access);
  }

  /** Elements outside of a predicate get their old values. */
  private keepOld(access: Access, elements: TensorStorage, holds: Uint8Array): void {
    const old = new this.kinds[access.dtype.storage](holds.length);
    this.read(access, old);
    for (let i = 0; i < holds.length; i++) if (!holds[i]) elements[i] = old[i];
  }

  private checkKept(tensor: number): void {
    if (this.released[tensor]) throw new ExecutionError(`the values of ${this.name(tensor)} are no longer kept`);
  }

  private check(access: Access): void {
    const range = extent(access);
    const elements = this.elements(access);
    if (!range || (range[0] >= 0 && range[1] < elements)) return;
    throw new ExecutionError(
      `the access to ${this.name(access.tensor)} reaches elements ${range[0]} to ${range[1]}, but the tensor has ${elements}`,
    );
  }
}

function floatsIn(storage: TensorStorage, access: Access): Float32Array | null {
  const at = runFrom(access);
  return at >= 0 && storage instanceof Float32Array ? storage.subarray(at, at + product(access.counts)) : null;
}

/** Rows whose elements follow one another; null where they do not, or would have to be copied to be multiplied. */
function rowsIn(storage: Float32Array, pattern: Pattern, rows: number): StridedMatrix | null {
  const { offset, strides, counts } = merge(pattern);
  const columns = product(counts) / rows;
  const dense = counts.length === 1 && (strides[0] === 1 || counts[0] === 1);
  if (dense) return { values: storage.subarray(offset, offset + rows * columns), stride: columns };
  const inRows = counts.length === 2 && counts[0] === rows && strides[1] === 1 && strides[0] > 0;
  if (!inRows || !scratch().copies.reaches(storage, storage)) return null;
  return { values: storage.subarray(offset, offset + (rows - 1) * strides[0] + columns), stride: strides[0] };
}

function cast({ name, storage }: Dtype, values: Float32Array): TensorStorage {
  const round = rounder(name);
  const elements = new STORAGE[storage](values.length);
  for (let i = 0; i < values.length; i++) elements[i] = round(values[i]);
  return elements;
}
