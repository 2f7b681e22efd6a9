/**
 * Lazy host arrays, for NumPy, torch and jax of a kernel's script. An operation makes a node. Its values are computed once, without
 * recursion, when the script needs them. Memory is counted: a node is dropped when its handle is freed and its last waiting consumer is
 * done. `operations.ts` lists the operations. The Python stand-ins have the rules for dtype promotion and shapes.
 */

import type { Values } from '../rounding';
import { packBytes, unpackBytes } from '../rounding';
import { type HostDtype, hostDtype } from './dtypes';
import { isValue, type Operation, type OperationAttributes } from './operation';
import { operations } from './operations';
import type { Generator } from './random/generator';
import { makeGenerator } from './random/makeGenerator';
import { type ArrayStorage, dense, plain, sizeOf, type Value } from './value';

/** A request that cannot be answered: unknown handle or operation, operands that do not fit. Its message is for the user. */
export class ArrayError extends Error {
  override name = 'ArrayError';
}

interface Step {
  readonly name: string;
  readonly run: Operation;
  readonly attributes: OperationAttributes;
  readonly operands: readonly Node[];
  /** The draw before this one on the same random stream. */
  readonly previous: Node | null;
}

interface Node {
  readonly dtype: HostDtype;
  readonly shape: readonly number[];
  /** Null when done. */
  step: Step | null;
  value: Value | null;
  /** Handles plus waiting consumers of the values. */
  uses: number;
  /** Draws that need only the generator's state after this node. */
  stateUses: number;
  generator: Generator | null;
  /** For a random stream: its latest draw. */
  tail: Node | null;
}

export interface ArrayInfo {
  dtype: string;
  shape: readonly number[];
  /** Whether the values are computed already. */
  computed: boolean;
}

/** Computes values of an external array from its inputs' values (row-major, in the dtype's storage class). */
export type ExternalCompute = (inputs: Values[]) => Values;

export class ArrayEngine {
  private readonly nodes = new Map<number, Node>();
  private nextHandle = 1;
  private held = 0;

  /** An array from packed little-endian bytes in C order; the bytes are copied. @throws ArrayError when the length does not fit. */
  put(dtype: string, shape: readonly number[], bytes: Uint8Array): number {
    const type = this.typeNamed(dtype);
    const size = this.checkedSize(shape);
    if (bytes.length !== size * type.sizeBytes)
      throw new ArrayError(`${bytes.length} bytes do not make a ${dtype} array of shape (${shape.join(', ')})`);
    const own = bytes.slice();
    return this.external(dtype, shape, () => unpackBytes(dtype, own, size));
  }

  /** A lazy operation. Draws name their random stream in the attribute `generator`, the handle of a `generator` operation. */
  op(name: string, operands: readonly number[], attributes: OperationAttributes, dtype: string, shape: readonly number[]): number {
    if (name === 'generator') return this.addGenerator(attributes, dtype);
    const run = operations.get(name);
    if (!run) throw new ArrayError(`no array operation is called ${name}`);
    const stream = attributes.generator === undefined ? null : this.node(attributes.generator as number);
    const previous = stream ? (stream.tail ?? stream) : null;
    const inputs = operands.map(handle => this.node(handle));
    const node = this.makeNode(dtype, shape, { name, run, attributes, operands: inputs, previous });
    if (stream) this.moveTail(stream, node);
    return this.handleOf(node);
  }

  /** An array that the simulator computes when its values are first needed; `inputs` are kept and computed for it. */
  external(dtype: string, shape: readonly number[], compute: ExternalCompute, inputs: readonly number[] = []): number {
    const size = this.checkedSize(shape);
    const run: Operation = call => {
      const values = compute(call.operands.map(expose));
      if (values.length !== size) throw new ArrayError(`${values.length} values for an array of shape (${shape.join(', ')})`);
      const wanted = call.dtype.make(0);
      if (values.constructor !== wanted.constructor) {
        const own = call.dtype.make(size);
        own.set(values);
        return plain(dtype, shape, own);
      }
      const result = plain(dtype, shape, values);
      result.storage.exposed = true;
      return result;
    };
    const operands = inputs.map(handle => this.node(handle));
    return this.handleOf(this.makeNode(dtype, shape, { name: 'external', run, attributes: {}, operands, previous: null }));
  }

  /** Another handle of an array, which is freed separately. */
  duplicate(handle: number): number {
    return this.handleOf(this.node(handle));
  }

  /** Row-major values: float32 and narrower as Float32Array, float64 and 64-bit integers as Float64Array, other integers and bool as
   *  Int32Array or Uint32Array. Not to be written: they may be the array itself. */
  values(handle: number): Values {
    const node = this.node(handle);
    this.evaluate(node);
    return expose(node.value!);
  }

  /** Packed little-endian bytes in C order. */
  bytes(handle: number): Uint8Array {
    const node = this.node(handle);
    this.evaluate(node);
    return packBytes(node.dtype.name, dense(node.value!));
  }

  info(handle: number): ArrayInfo {
    const node = this.node(handle);
    return { dtype: node.dtype.name, shape: node.shape, computed: node.step === null };
  }

  /** Frees a handle. The array stays while other nodes need it. */
  free(handle: number): void {
    const node = this.node(handle);
    this.nodes.delete(handle);
    node.uses--;
    this.release([node]);
  }

  /** Number of live handles, and bytes of stored values. */
  stats(): { handles: number; heldBytes: number } {
    return { handles: this.nodes.size, heldBytes: this.held };
  }

  private typeNamed(name: string): HostDtype {
    try {
      return hostDtype(name);
    } catch (error) {
      throw new ArrayError((error as Error).message);
    }
  }

  private checkedSize(shape: readonly number[]): number {
    if (!Array.isArray(shape) || shape.some(n => !Number.isInteger(n) || n < 0)) throw new ArrayError(`not a shape: (${shape})`);
    const size = sizeOf(shape);
    if (size > Number.MAX_SAFE_INTEGER) throw new ArrayError(`shape (${shape.join(', ')}) is too large`);
    return size;
  }

  private node(handle: number): Node {
    const node = this.nodes.get(handle);
    if (!node) throw new ArrayError(`no array has the handle ${handle}`);
    return node;
  }

  private handleOf(node: Node): number {
    const handle = this.nextHandle++;
    node.uses++;
    this.nodes.set(handle, node);
    return handle;
  }

  private makeNode(dtype: string, shape: readonly number[], step: Step | null): Node {
    this.checkedSize(shape);
    const node: Node = {
      dtype: this.typeNamed(dtype),
      shape: [...shape],
      step,
      value: null,
      uses: 0,
      stateUses: 0,
      generator: null,
      tail: null,
    };
    for (const operand of step?.operands ?? []) operand.uses++;
    if (step?.previous) step.previous.stateUses++;
    return node;
  }

  private addGenerator(attributes: OperationAttributes, dtype: string): number {
    const node = this.makeNode(dtype, [0], null);
    try {
      node.generator = makeGenerator(attributes);
    } catch (error) {
      throw new ArrayError((error as Error).message);
    }
    this.hold(node, plain(dtype, [0], node.dtype.make(0)));
    return this.handleOf(node);
  }

  private moveTail(stream: Node, draw: Node) {
    const old = stream.tail;
    stream.tail = draw;
    draw.stateUses++;
    if (old) {
      old.stateUses--;
      this.release([old]);
    }
  }

  private evaluate(root: Node) {
    const stack = [root];
    while (stack.length > 0) {
      const node = stack[stack.length - 1];
      const { step } = node;
      const waiting = step === null ? [] : step.operands.filter(operand => operand.step !== null);
      if (step?.previous?.step) waiting.push(step.previous);
      if (step && waiting.length === 0) this.compute(node, step);
      if (waiting.length === 0) stack.pop();
      else for (const other of waiting) stack.push(other);
    }
  }

  private compute(node: Node, step: Step) {
    const { operands, previous } = step;
    // A stream has one draw after another, so its state moves along instead of being copied.
    const generator = previous?.generator ?? null;
    const result = this.attempt(step, () =>
      step.run({
        operands: operands.map(operand => operand.value!),
        attributes: step.attributes,
        dtype: node.dtype,
        shape: node.shape,
        size: sizeOf(node.shape),
        generator,
        mayOverwrite: i => operands[i].uses === 1 && isPrivate(operands[i].value!.storage),
      }),
    );
    this.hold(node, this.settled(node, step, result));
    if (generator) {
      node.generator = generator;
      previous!.generator = null;
      previous!.stateUses--;
    }
    node.step = null;
    for (const operand of operands) operand.uses--;
    this.release([...operands, node, ...(previous ? [previous] : [])]);
  }

  private settled(node: Node, step: Step, result: Values | Value): Value {
    const size = isValue(result) ? sizeOf(result.shape) : result.length;
    if (size !== sizeOf(node.shape)) throw new ArrayError(`${step.name} makes ${size} values, not the shape (${node.shape.join(', ')})`);
    if (isValue(result)) return { ...result, dtype: node.dtype.name };
    node.dtype.settle(result);
    return plain(node.dtype.name, node.shape, result);
  }

  private attempt<T>(step: Step, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (step.name === 'external' || error instanceof ArrayError) throw error;
      throw new ArrayError(`${step.name}: ${(error as Error).message}`);
    }
  }

  private hold(node: Node, value: Value) {
    node.value = value;
    if (value.storage.holders++ === 0) this.held += value.storage.data.byteLength;
  }

  /** Drops arrays without users, and then those that only these used. */
  private release(candidates: Node[]) {
    while (candidates.length > 0) {
      const node = candidates.pop()!;
      if (node.uses > 0) continue;
      this.dropValue(node);
      if (node.stateUses > 0) continue;
      const { step, tail } = node;
      node.step = null;
      node.tail = null;
      for (const operand of step?.operands ?? []) {
        operand.uses--;
        candidates.push(operand);
      }
      for (const other of [step?.previous, tail]) {
        if (!other) continue;
        other.stateUses--;
        candidates.push(other);
      }
    }
  }

  private dropValue(node: Node) {
    if (!node.value) return;
    const { storage } = node.value;
    node.value = null;
    if (--storage.holders === 0) this.held -= storage.data.byteLength;
  }
}

const isPrivate = (storage: ArrayStorage) => storage.holders === 1 && !storage.exposed;

/** Values that leave the engine: they must not change under the reader. */
function expose(value: Value): Values {
  value.storage.exposed = true;
  return dense(value);
}
