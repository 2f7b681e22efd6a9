/**
 * The interface of one instruction for its semantics: operands by parameter name, as flat arrays in the order of their access pattern,
 * attributes, and methods to write results. It has the scratch arrays that are reused from one instruction to the next.
 */
import type { Machine } from '../hardware/machine';
import type { ProgramCode } from '../program/program';
import type { Dtype } from '../vocabulary/dtypes';
import { toPattern } from './bits';
import { ExecutionError } from './errors';
import { Instruction } from './instruction';
import { TensorMemory, type TensorStorage } from './memory';
import type { Access } from './patterns';
import { broadcast, product } from './patterns';
import { evaluatePredicate } from './predicate';
import { type RandomEngine, RandomEngineState } from './random';
import { scratch } from './scratch';

/** The facts of a machine on which values depend: the division of its memories. */
export type Partitioning = Pick<Machine, 'partitions' | 'gpsimdPartitions' | 'quadrantPartitions'>;

export class Step extends Instruction {
  /** State between instructions: the engines' accumulation registers, one per partition (`semantics/accumulate.ts`). */
  readonly scalarRegisters: Float32Array;
  readonly vectorRegisters: Float32Array;
  /** State between instructions: random generators of the engines that have them. */
  readonly random: Readonly<Record<RandomEngine, RandomEngineState>>;
  private readonly scratch = scratch();

  constructor(
    program: ProgramCode,
    readonly memory: TensorMemory,
    readonly machine: Partitioning,
  ) {
    super(program);
    const partitions = machine.partitions.value;
    this.scalarRegisters = this.own(partitions);
    this.vectorRegisters = this.own(partitions);
    this.random = { Vector: new RandomEngineState('Vector', partitions), GpSimd: new RandomEngineState('GpSimd', partitions) };
  }

  override load(instruction: number): void {
    super.load(instruction);
    this.scratch.reset();
  }

  /** A float32 array for intermediate values; its content is undefined and it lives until the next instruction. */
  floats(count: number): Float32Array {
    return this.memory.isDouble ? this.own(count) : this.scratch.floats(count);
  }

  /** Floats that live longer than the instruction, 0 at first. */
  own(count: number): Float32Array {
    return this.memory.isDouble ? (new Float64Array(count) as unknown as Float32Array) : new Float32Array(count);
  }

  /** Elements of any class as floats. */
  floatsOf(elements: ArrayLike<number>): Float32Array {
    const out = this.own(elements.length);
    out.set(elements);
    return out;
  }

  /** To float32, where that is what is computed in. */
  fround(x: number): number {
    return this.memory.isDouble ? x : Math.fround(x);
  }

  /** An array for elements of a dtype in their own class, like `floats`. */
  elementArray(dtype: Dtype, count: number): TensorStorage {
    if (this.memory.isDouble && dtype.storage === 'f32') return this.own(count);
    return TensorMemory.array(dtype, this.scratch.take(count), count);
  }

  /** An operand's values as float32, through its own pattern. */
  values(name: string): Float32Array {
    return this.through(this.operand(name));
  }

  /** Values through a pattern over the operand's tensor (permuted dimensions, say). */
  through(operand: Access): Float32Array {
    const out = this.floats(product(operand.counts));
    this.memory.read(operand, out);
    return out;
  }

  /** An operand's elements in their own class: exact for 32-bit integers. */
  elementsThrough(operand: Access): TensorStorage {
    const count = product(operand.counts);
    const out = this.elementArray(operand.dtype, count);
    this.memory.read(operand, out);
    return out;
  }

  /** A tensor or number operand as float32 values over dimensions `counts`, repeated where the shapes say so. */
  over(name: string, counts: number[]): Float32Array {
    return this.has(name) ? this.through(this.repeated(name, counts)) : this.floats(product(counts)).fill(this.number(name));
  }

  /** The same for integers in their own class. */
  exactOver(name: string, counts: number[]): TensorStorage {
    return this.elementsThrough(this.repeated(name, counts));
  }

  /** A tensor or number operand as unsigned bit patterns over dimensions `counts`. */
  patternsOver(name: string, counts: number[]): Uint32Array {
    const { buffer, offset } = this.scratch.take(product(counts));
    const out = new Uint32Array(buffer, offset, product(counts));
    if (!this.has(name)) return out.fill(this.number(name));
    const type = this.dtype(name);
    if (type.class === 'float') throw new ExecutionError(`${this.row.name}: bit operations need integers, ${name} is ${type.name}`);
    const source = this.repeated(name, counts);
    this.memory.read(source, out);
    const pattern = toPattern(type.name);
    for (let i = 0; i < out.length; i++) out[i] = pattern(out[i]);
    return out;
  }

  private repeated(name: string, counts: number[]): Access {
    const operand = this.operand(name);
    const pattern = broadcast(operand, counts);
    if (!pattern) throw new ExecutionError(`${this.row.name}: ${name} [${operand.counts}] does not go with [${counts}]`);
    return { tensor: operand.tensor, dtype: operand.dtype, ...pattern };
  }

  /** Where the instruction's predicate holds over the destination; null without one. */
  mask(): Uint8Array | null {
    return this.predicate < 0 ? null : evaluatePredicate(this.program.predicates[this.predicate], this.counts('dst'));
  }

  /** `dst` to be written in place; null under a predicate and where it is not float32 in a row. `fresh`: it will not be read. */
  open(fresh: boolean): Float32Array | null {
    return this.predicate < 0 ? this.memory.open(this.operand('dst'), fresh) : null;
  }

  /** Writes `dst` under the predicate. `values` are spent afterwards: they are rounded in place. */
  write(values: TensorStorage): void {
    this.writeTo('dst', values, this.mask());
  }

  /** The same for values that are elements of `dst`'s dtype already, without rounding. */
  writeElements(elements: TensorStorage): void {
    this.memory.writeElements(this.room('dst', elements), elements, this.mask());
  }

  /** Copies an operand of `dst`'s dtype to `dst` under the predicate, repeated as shapes require, without rounding. */
  copy(name: string): void {
    const source = this.repeated(name, this.counts('dst'));
    if (this.predicate >= 0 || !this.memory.copy(source, this.operand('dst'))) this.writeElements(this.elementsThrough(source));
  }

  /** Writes any output operand. */
  writeTo(name: string, values: TensorStorage, holds: Uint8Array | null = null): void {
    this.memory.write(this.room(name, values), values, holds);
  }

  /** An operand that takes exactly these values. */
  private room(name: string, values: TensorStorage): Access {
    const operand = this.operand(name);
    if (product(operand.counts) !== values.length)
      throw new ExecutionError(`${this.row.name}: ${name} [${operand.counts}] has no room for ${values.length} values`);
    return operand;
  }
}
