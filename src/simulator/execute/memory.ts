/**
 * The tensors' values: one flat row-major array per tensor, made on first touch, moved through access patterns.
 * Rounding happens on the way in; what is computed is `semantics/`'s.
 *
 * What was never written reads as NaN (floats) or 4 (integers), as in AWS's simulator (aws-neuron-sdk
 * nki/guides/nki_simulator.rst "Uninitialized Memory Detection").
 */
import { tileLimits } from '../hardware/limits';
import { type Dtype, dtypes } from '../isa/dtypes';
import { inElementsOf } from '../program/elements';
import { type ProgramTensors, SPACES, TENSOR_KINDS, tensorCount, tensorElements, tensorShape } from '../program/program';
import { ExecutionError } from './errors';
import { rounder } from './formats';
import { checkBytes } from './limits';
import { extent, fill, gather, isWhole, type Pattern, product, scatter } from './patterns';
import { packBits, readBits, unpackBits, writeBits } from './reinterpret';
import { roundInPlace, type Values } from './rounding';
import type { Place } from './scratch';

export type Storage = Float32Array | Int32Array | Uint32Array;

/** Values of an input or constant tensor in row-major order, or null when there are none. */
export type Inputs = (tensor: number) => Values | null;

/** How an instruction sees a tensor: a pattern over elements of `dtype`, as which the tensor's bits are read. */
export interface Access extends Pattern {
  tensor: number;
  dtype: Dtype;
}

const STORAGE = { f32: Float32Array, i32: Int32Array, u32: Uint32Array } as const;
const UNINITIALISED_INTEGER = 4;
const HBM = SPACES.indexOf('hbm');
const PSUM = SPACES.indexOf('psum');

const spareKey = (storageClass: string, length: number) => `${storageClass} ${length}`;

export class Memory {
  private readonly storages = new Map<number, Storage>();
  /** Tensors that were accessed as another dtype than their own: held as bytes from then on, so that no bit is lost. */
  private readonly bytes = new Map<number, Uint8Array>();
  /** PSUM tensors that were written whole; and of others, per byte: 1 once it was written. */
  private readonly whole = new Set<number>();
  private readonly written = new Map<number, Uint8Array>();
  private readonly released: Uint8Array;
  /** Arrays of released tensors by class and length. */
  private readonly spares = new Map<string, Storage[]>();

  constructor(
    private readonly program: ProgramTensors,
    private readonly inputs: Inputs,
  ) {
    this.released = new Uint8Array(tensorCount(program));
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

  /** Partition of each row of an access: for HBM, where the row would lie if the tensor were loaded. */
  lane(access: Access): (row: number) => number {
    const first = this.program.tensors.space[access.tensor] === HBM ? 0 : this.partition(access);
    return row => (first + row) % tileLimits.partitions;
  }

  /**
   * All values of a tensor: the storage itself, not a copy, unless it is held as bytes.
   * @throws ExecutionError for a tensor that was released.
   */
  storage(tensor: number): Storage {
    if (this.released[tensor]) throw new ExecutionError(`the values of ${this.name(tensor)} are no longer kept`);
    const bytes = this.bytes.get(tensor);
    if (bytes) return unpackBits(this.dtype(tensor), bytes);
    let storage = this.storages.get(tensor);
    if (!storage) {
      storage = this.create(tensor);
      this.storages.set(tensor, storage);
    }
    return storage;
  }

  /** Gives up a tensor's values; another tensor will use the array. A kernel allocates its tiles anew in every iteration. */
  release(tensor: number): void {
    const storage = this.storages.get(tensor);
    this.released[tensor] = 1;
    this.storages.delete(tensor);
    this.bytes.delete(tensor);
    this.written.delete(tensor);
    this.whole.delete(tensor);
    if (!storage) return;
    const key = spareKey(storage.constructor.name, storage.length);
    const spares = this.spares.get(key);
    if (spares) spares.push(storage);
    else this.spares.set(key, [storage]);
  }

  private allocate(type: Dtype, length: number): Storage {
    const make = STORAGE[type.storage];
    return this.spares.get(spareKey(make.name, length))?.pop() ?? new make(length);
  }

  /** Index in `SPACES`. */
  space(tensor: number): number {
    return this.program.tensors.space[tensor];
  }

  name(tensor: number): string {
    return this.program.strings[this.program.tensors.name[tensor]];
  }

  private create(tensor: number): Storage {
    const type = this.dtype(tensor);
    const elements = tensorElements(this.program, tensor);
    checkBytes(elements * Float32Array.BYTES_PER_ELEMENT, this.name(tensor));
    const storage = this.allocate(type, elements);
    const kind = TENSOR_KINDS[this.program.tensors.kind[tensor]];
    const given = kind === 'input' || kind === 'constant' ? this.inputs(tensor) : null;
    if (!given) return storage.fill(type.class === 'float' ? Number.NaN : UNINITIALISED_INTEGER);
    if (given.length !== storage.length)
      throw new ExecutionError(`${this.name(tensor)} has ${storage.length} elements, but ${given.length} values were given`);
    if (given instanceof Float32Array && storage instanceof Float32Array) {
      storage.set(given);
      roundInPlace(type.name, storage);
      keepNans(given, storage);
      return storage;
    }
    const round = rounder(type.name);
    for (let i = 0; i < given.length; i++) storage[i] = round(given[i]);
    return storage;
  }

  /** Elements of the accessed dtype in the whole tensor. */
  elements({ tensor, dtype }: Access): number {
    return (tensorElements(this.program, tensor) * this.dtype(tensor).sizeBytes) / dtype.sizeBytes;
  }

  /** The tensor's bytes when it is accessed, or was before, as another dtype; else null. */
  private held({ tensor, dtype }: Access): Uint8Array | null {
    const held = this.bytes.get(tensor);
    if (held || dtype === this.dtype(tensor)) return held ?? null;
    const bytes = packBits(this.dtype(tensor), this.storage(tensor));
    this.storages.delete(tensor);
    this.bytes.set(tensor, bytes);
    return bytes;
  }

  /** An array for `count` elements of a dtype, in their own class. */
  static array(dtype: Dtype, { buffer, offset }: Place, count: number): Storage {
    return new STORAGE[dtype.storage](buffer as ArrayBuffer, offset, count);
  }

  /** Reads through a pattern, cast by the class of `out`. */
  read(access: Access, out: Storage): void {
    this.check(access);
    const bytes = this.held(access);
    if (bytes) readBits(access.dtype, bytes, access, out);
    else gather(this.storage(access.tensor), access, out);
  }

  /**
   * Rounds `values` to the accessed dtype and writes them. float32 values are cast; integer arrays are elements already.
   * @param values scratch: rounded in place.
   * @param holds 1 for the elements to write; absent: all.
   */
  write(access: Access, values: Storage, holds: Uint8Array | null): void {
    this.writeElements(access, this.rounded(access.dtype, values), holds);
  }

  /** Elements of a dtype: float32 values are rounded in place, or cast; integer arrays are elements already. */
  private rounded(dtype: Dtype, values: Storage): Storage {
    if (!(values instanceof Float32Array)) return values;
    if (dtype.storage !== 'f32') return cast(dtype, values);
    roundInPlace(dtype.name, values);
    return values;
  }

  /** Writes what are elements of the accessed dtype already. */
  writeElements(access: Access, elements: Storage, holds: Uint8Array | null): void {
    this.check(access);
    if (holds) this.keepOld(access, elements, holds);
    this.put(access, elements);
    if (this.inPsum(access.tensor)) this.markWritten(access, holds);
  }

  private put(access: Access, elements: Storage): void {
    const bytes = this.held(access);
    if (bytes) writeBits(access.dtype, bytes, access, elements);
    else scatter(elements, access, this.storage(access.tensor));
  }

  /** Elements at addresses counted in the accessed dtype; where the address is -1, `out` stays as it is. */
  readAt(access: Access, at: Int32Array, out: Storage): void {
    const bytes = this.held(access);
    const from = bytes ? unpackBits(access.dtype, bytes) : this.storage(access.tensor);
    for (let i = 0; i < at.length; i++) if (at[i] >= 0) out[i] = from[at[i]];
  }

  /** Rounds `values` as `write` does and puts each at its address; -1 is nowhere. */
  writeAt(access: Access, at: Int32Array, values: Storage): void {
    const elements = this.rounded(access.dtype, values);
    this.change(access, all => {
      for (let i = 0; i < at.length; i++) if (at[i] >= 0) all[at[i]] = elements[i];
    });
  }

  /** `element = combine(element, value)` at each address, in float32, rounded after each. */
  updateAt(access: Access, at: Int32Array, values: Float32Array, combine: (a: number, b: number) => number): void {
    const round = rounder(access.dtype.name);
    this.change(access, all => {
      for (let i = 0; i < at.length; i++) if (at[i] >= 0) all[at[i]] = round(Math.fround(combine(all[at[i]], values[i])));
    });
  }

  /** Lets `edit` change the tensor's elements of the accessed dtype. */
  private change(access: Access, edit: (all: Storage) => void): void {
    const bytes = this.held(access);
    const all = bytes ? unpackBits(access.dtype, bytes) : this.storage(access.tensor);
    edit(all);
    if (bytes) bytes.set(packBits(access.dtype, all));
    if (this.inPsum(access.tensor)) this.markWritten({ ...access, offset: 0, strides: [1], counts: [all.length] }, null);
  }

  /** Writes one number everywhere; exact for every integer of the dtype. */
  writeConstant(access: Access, value: number): void {
    this.check(access);
    const element = rounder(access.dtype.name)(value);
    if (this.held(access)) this.put(access, new STORAGE[access.dtype.storage](product(access.counts)).fill(element));
    else fill(element, access, this.storage(access.tensor));
    if (this.inPsum(access.tensor)) this.markWritten(access, null);
  }

  /** Of a PSUM tensor: 1 for each element of the pattern that was written before, or that all or none of the tensor was. */
  readWritten(access: Access): Uint8Array | 'all' | 'none' {
    if (this.whole.has(access.tensor)) return 'all';
    const written = this.written.get(access.tensor);
    if (!written) return 'none';
    const flags = new Uint8Array(product(access.counts));
    gather(written, this.bytePattern(access), flags);
    return flags;
  }

  /** First byte of each element that an access walks: what `written` is kept by. */
  private bytePattern({ dtype, offset, strides, counts }: Access): Pattern {
    return { offset: offset * dtype.sizeBytes, strides: strides.map(stride => stride * dtype.sizeBytes), counts };
  }

  /** Elements outside a predicate are written with what they hold. */
  private keepOld(access: Access, elements: Storage, holds: Uint8Array): void {
    const old = new STORAGE[access.dtype.storage](holds.length);
    this.read(access, old);
    for (let i = 0; i < holds.length; i++) if (!holds[i]) elements[i] = old[i];
  }

  private markWritten(access: Access, holds: Uint8Array | null): void {
    const { tensor, dtype } = access;
    if (this.whole.has(tensor)) return;
    if (!holds && isWhole(access, this.elements(access))) {
      this.whole.add(tensor);
      this.written.delete(tensor);
      return;
    }
    let flags = this.written.get(tensor);
    if (!flags) {
      flags = new Uint8Array(tensorElements(this.program, tensor) * this.dtype(tensor).sizeBytes);
      this.written.set(tensor, flags);
    }
    if (!holds) {
      fill(1, inElementsOf(access, dtype.sizeBytes, 1), flags);
      return;
    }
    const pattern = this.bytePattern(access);
    const before = new Uint8Array(holds.length);
    gather(flags, pattern, before);
    const after = before.map((was, i) => was | holds[i]);
    for (let byte = 0; byte < dtype.sizeBytes; byte++) scatter(after, { ...pattern, offset: pattern.offset + byte }, flags);
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

/** Rounding makes one NaN of all; what is given is no result of arithmetic and keeps its bits. */
function keepNans(given: Float32Array, rounded: Float32Array): void {
  const from = new Uint32Array(given.buffer, given.byteOffset, given.length);
  const to = new Uint32Array(rounded.buffer, rounded.byteOffset, rounded.length);
  for (let i = 0; i < from.length; i++) if ((from[i] & 0x7fffffff) > 0x7f800000) to[i] = from[i];
}

function cast({ name, storage }: Dtype, values: Float32Array): Storage {
  const round = rounder(name);
  const elements = new STORAGE[storage](values.length);
  for (let i = 0; i < values.length; i++) elements[i] = round(values[i]);
  return elements;
}
