/**
 * The tensors' values: one flat row-major array per tensor, made on first touch, moved through access patterns.
 * Rounding happens on the way in; what is computed is `semantics/`'s.
 *
 * What was never written reads as NaN (floats) or 4 (integers), as in AWS's simulator (aws-neuron-sdk
 * nki/guides/nki_simulator.rst "Uninitialized Memory Detection").
 */
import { type Dtype, dtypes } from '../isa/dtypes';
import { type ProgramTensors, SPACES, TENSOR_KINDS, tensorCount, tensorElements, tensorShape } from '../program/program';
import { ExecutionError } from './errors';
import { rounder } from './formats';
import { extent, fill, gather, type Pattern, product, scatter } from './patterns';
import { roundInPlace, type Values } from './rounding';

export type Storage = Float32Array | Int32Array | Uint32Array;

/** Values of an input or constant tensor in row-major order, or null when there are none. */
export type Inputs = (tensor: number) => Values | null;

const STORAGE = { f32: Float32Array, i32: Int32Array, u32: Uint32Array } as const;
const UNINITIALISED_INTEGER = 4;
const PSUM = SPACES.indexOf('psum');

const spareKey = (storageClass: string, length: number) => `${storageClass} ${length}`;

export class Memory {
  private readonly storages = new Map<number, Storage>();
  /** Per element of a PSUM tensor: 1 once it was written. */
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
  partition(operand: Pattern & { tensor: number }): number {
    const [partitions] = tensorShape(this.program, operand.tensor);
    return Math.floor(operand.offset / (tensorElements(this.program, operand.tensor) / partitions));
  }

  /**
   * All values of a tensor: the storage itself, not a copy.
   * @throws ExecutionError for a tensor that was released.
   */
  storage(tensor: number): Storage {
    if (this.released[tensor]) throw new ExecutionError(`the values of ${this.name(tensor)} are no longer kept`);
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
    this.written.delete(tensor);
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

  private name(tensor: number): string {
    return this.program.strings[this.program.tensors.name[tensor]];
  }

  private create(tensor: number): Storage {
    const type = this.dtype(tensor);
    const storage = this.allocate(type, tensorElements(this.program, tensor));
    const kind = TENSOR_KINDS[this.program.tensors.kind[tensor]];
    const given = kind === 'input' || kind === 'constant' ? this.inputs(tensor) : null;
    if (!given) return storage.fill(type.class === 'float' ? Number.NaN : UNINITIALISED_INTEGER);
    if (given.length !== storage.length)
      throw new ExecutionError(`${this.name(tensor)} has ${storage.length} elements, but ${given.length} values were given`);
    if (given instanceof Float32Array && storage instanceof Float32Array) {
      storage.set(given);
      roundInPlace(type.name, storage);
      return storage;
    }
    const round = rounder(type.name);
    for (let i = 0; i < given.length; i++) storage[i] = round(given[i]);
    return storage;
  }

  /** Reads through a pattern, cast by the class of `out`. */
  read(tensor: number, pattern: Pattern, out: Storage): void {
    this.check(tensor, pattern);
    gather(this.storage(tensor), pattern, out);
  }

  /**
   * Rounds `values` to the tensor's dtype and writes them. float32 values are cast; integer arrays are elements already.
   * @param values scratch: rounded in place.
   * @param holds 1 for the elements to write; absent: all.
   */
  write(tensor: number, pattern: Pattern, values: Storage, holds: Uint8Array | null): void {
    const inFloat32 = this.dtype(tensor).storage === 'f32';
    if (values instanceof Float32Array && inFloat32) roundInPlace(this.dtype(tensor).name, values);
    this.writeElements(tensor, pattern, values instanceof Float32Array && !inFloat32 ? this.cast(tensor, values) : values, holds);
  }

  /** Writes what are elements of the tensor's dtype already. */
  writeElements(tensor: number, pattern: Pattern, elements: Storage, holds: Uint8Array | null): void {
    this.check(tensor, pattern);
    const storage = this.storage(tensor);
    if (holds) this.keepOld(storage, pattern, elements, holds);
    scatter(elements, pattern, storage);
    if (this.inPsum(tensor)) this.markWritten(tensor, pattern, holds);
  }

  /** Writes one number everywhere; exact for every integer of the dtype. */
  writeConstant(tensor: number, pattern: Pattern, value: number): void {
    this.check(tensor, pattern);
    fill(rounder(this.dtype(tensor).name)(value), pattern, this.storage(tensor));
    if (this.inPsum(tensor)) this.markWritten(tensor, pattern, null);
  }

  /** 1 for each element of the pattern that was written before (PSUM only); null when none of the tensor was. */
  readWritten(tensor: number, pattern: Pattern): Uint8Array | null {
    const written = this.written.get(tensor);
    if (!written) return null;
    const flags = new Uint8Array(product(pattern.counts));
    gather(written, pattern, flags);
    return flags;
  }

  private cast(tensor: number, values: Float32Array): Storage {
    const type = this.dtype(tensor);
    const round = rounder(type.name);
    const elements = new STORAGE[type.storage](values.length);
    for (let i = 0; i < values.length; i++) elements[i] = round(values[i]);
    return elements;
  }

  /** Elements outside a predicate are written with what they hold. */
  private keepOld(storage: Storage, pattern: Pattern, elements: Storage, holds: Uint8Array): void {
    const old = storage instanceof Float32Array ? new Float32Array(holds.length) : new Int32Array(holds.length);
    gather(storage, pattern, old);
    for (let i = 0; i < holds.length; i++) if (!holds[i]) elements[i] = old[i];
  }

  private markWritten(tensor: number, pattern: Pattern, holds: Uint8Array | null): void {
    let flags = this.written.get(tensor);
    if (!flags) {
      flags = new Uint8Array(tensorElements(this.program, tensor));
      this.written.set(tensor, flags);
    }
    if (!holds) {
      fill(1, pattern, flags);
      return;
    }
    const before = new Uint8Array(holds.length);
    gather(flags, pattern, before);
    scatter(
      before.map((was, i) => was | holds[i]),
      pattern,
      flags,
    );
  }

  private check(tensor: number, pattern: Pattern): void {
    const range = extent(pattern);
    const elements = tensorElements(this.program, tensor);
    if (!range || (range[0] >= 0 && range[1] < elements)) return;
    throw new ExecutionError(
      `the access to ${this.name(tensor)} reaches elements ${range[0]} to ${range[1]}, but the tensor has ${elements}`,
    );
  }
}
