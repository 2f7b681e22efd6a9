/**
 * Builds Programs for tests, the way the Python front end does: tensors, access patterns, rows of the instruction table,
 * source positions, loops. What it makes passes `program/codec.ts`; it checks names only, not legality (`program/verify.ts`).
 *
 *     const b = new ProgramBuilder({ target: 'trn2' });
 *     const x = b.hbm('x', [128, 512], 'float32', 'input');
 *     const tile = b.sbuf('tile', [128, 512], 'float32');
 *     b.record('nki.language.load', { dst: tile, src: x }, {}, { line: 12 });
 *     b.record('nki.isa.activation', { dst: tile, data: tile.slice([0, 64]) }, { op: 'exp' }, { line: 13 });
 *     const program = b.finish();
 */
import { createHash } from 'node:crypto';
import { ColumnBuilder } from '../../src/simulator/columns/builder';
import { findRow } from '../../src/simulator/isa/table';
import {
  type Attributes,
  type AttributeValue,
  type Predicate,
  type Program,
  type ProgramMeta,
  TENSOR_KINDS,
  type TensorKind,
} from '../../src/simulator/program/program';
import { dtype } from '../../src/simulator/vocabulary/dtypes';
import type { Space } from '../../src/simulator/vocabulary/spaces';
import { SPACES } from '../../src/simulator/vocabulary/spaces';

/** An access pattern: [stride in elements, count] per dimension from `offset`. */
export interface AccessPattern {
  tensor: Tensor;
  /** As which the tensor's bits are read; absent: its own. */
  dtype?: string;
  offset: number;
  dims: [stride: number, count: number][];
}

/** One dimension of a slice: everything, one index (the dimension stays, with count 1), or [start, stop, step = 1]. */
export type Slice = ':' | number | [start: number, stop: number, step?: number];

/** A tensor of the program under construction; as an operand it means all of itself. */
export class Tensor {
  constructor(
    readonly index: number,
    readonly name: string,
    readonly shape: readonly number[],
    readonly dtype: string,
    readonly space: Space,
  ) {}

  /** Elements from one index to the next, per dimension (row-major). */
  get strides(): number[] {
    return this.shape.map((_, k) => this.shape.slice(k + 1).reduce((n, d) => n * d, 1));
  }

  get all(): AccessPattern {
    return this.slice();
  }

  /** NumPy-like; dimensions not named are taken whole. */
  slice(...slices: Slice[]): AccessPattern {
    let offset = 0;
    const dims = this.shape.map((size, k): [number, number] => {
      const [start, stop, step] = bounds(slices[k] ?? ':', size);
      offset += start * this.strides[k];
      return [step * this.strides[k], Math.max(0, Math.ceil((stop - start) / step))];
    });
    return { tensor: this, offset, dims };
  }

  /** A pattern as the kernel wrote it. */
  ap(dims: [stride: number, count: number][], offset = 0): AccessPattern {
    return { tensor: this, offset, dims };
  }
}

function bounds(slice: Slice, size: number): [start: number, stop: number, step: number] {
  if (slice === ':') return [0, size, 1];
  if (typeof slice === 'number') return [slice, slice + 1, 1];
  return [slice[0], slice[1], slice[2] ?? 1];
}

export type Operand = Tensor | AccessPattern;

export interface RecordOptions {
  /** Source line, 1-based; absent: one more than the last. */
  line?: number;
  predicate?: Predicate;
}

export interface TensorOptions {
  /** Byte address inside each partition, when the kernel chose it. */
  addressBytes?: number;
  line?: number;
}

const KERNEL_FILE = '/home/user/kernel.py';

export class ProgramBuilder {
  private readonly meta: ProgramMeta;
  private readonly strings = new Interned<string>();
  private readonly operations = new Interned<string>();
  private readonly attributes = new Interned<Attributes>();
  private readonly predicates = new Interned<Predicate>();
  private readonly frameOf = new Interned<[number, number, number, number]>();
  private readonly iterationOf = new Interned<[number, number, number, number]>();
  private readonly t = {
    space: new ColumnBuilder(Uint8Array),
    dtype: new ColumnBuilder(Uint8Array),
    kind: new ColumnBuilder(Uint8Array),
    name: new ColumnBuilder(Uint32Array),
    frame: new ColumnBuilder(Uint32Array),
    addressBytes: new ColumnBuilder(Float64Array),
    shapeStart: new ColumnBuilder(Uint32Array),
    shapePool: new ColumnBuilder(Uint32Array),
  };
  private readonly i = {
    operation: new ColumnBuilder(Uint16Array),
    frame: new ColumnBuilder(Uint32Array),
    iteration: new ColumnBuilder(Int32Array),
    attributes: new ColumnBuilder(Uint32Array),
    predicate: new ColumnBuilder(Int32Array),
    operandStart: new ColumnBuilder(Uint32Array),
  };
  private readonly o = {
    slot: new ColumnBuilder(Uint8Array),
    tensor: new ColumnBuilder(Uint32Array),
    dtype: new ColumnBuilder(Uint8Array),
    offset: new ColumnBuilder(Float64Array),
    dimStart: new ColumnBuilder(Uint32Array),
    dimStride: new ColumnBuilder(Int32Array),
    dimCount: new ColumnBuilder(Uint32Array),
  };
  private line = 1;
  /** Call site of the function being recorded: index of a frame, -1 in the kernel itself. */
  private caller = -1;
  private functionName: string;
  private iteration = -1;

  constructor(options: Partial<Pick<ProgramMeta, 'kernel' | 'dialect' | 'target' | 'nkiVersion' | 'grid' | 'literal'>> = {}) {
    const text = '# made by test/support/programs.ts\n';
    this.meta = {
      kernel: 'kernel',
      dialect: 'nki',
      target: 'trn2',
      grid: [1],
      literal: true,
      ...options,
      files: [{ path: KERNEL_FILE, text, sha256: createHash('sha256').update(text).digest('hex') }],
      strings: [],
      operations: [],
      attributes: [],
      predicates: [],
      inputs: [],
      outputs: [],
    };
    this.functionName = this.meta.kernel;
  }

  hbm(name: string, shape: number[], dtypeName = 'float32', kind: TensorKind = 'internal', options: TensorOptions = {}): Tensor {
    const tensor = this.tensor('hbm', name, shape, dtypeName, kind, options);
    if (kind === 'input') this.meta.inputs.push({ name, tensor: tensor.index });
    if (kind === 'output') this.meta.outputs.push({ name, tensor: tensor.index });
    return tensor;
  }

  /** Lists a tensor among what the kernel returns; `hbm(..., 'output')` is listed already. */
  output(tensor: Tensor): this {
    this.meta.outputs.push({ name: tensor.name, tensor: tensor.index });
    return this;
  }

  /** Shape: partitions first. */
  sbuf(name: string, shape: number[], dtypeName = 'float32', options: TensorOptions = {}): Tensor {
    return this.tensor('sbuf', name, shape, dtypeName, 'internal', options);
  }

  /** Shape: partitions first. */
  psum(name: string, shape: number[], dtypeName = 'float32', options: TensorOptions = {}): Tensor {
    return this.tensor('psum', name, shape, dtypeName, 'internal', options);
  }

  private tensor(space: Space, name: string, shape: number[], dtypeName: string, kind: TensorKind, options: TensorOptions): Tensor {
    const t = this.t;
    t.dtype.push(dtype(dtypeName).code);
    t.kind.push(TENSOR_KINDS.indexOf(kind));
    t.name.push(this.strings.of(name));
    t.frame.push(this.frame(options.line ?? this.line));
    t.addressBytes.push(options.addressBytes ?? -1);
    t.shapeStart.push(t.shapePool.length);
    for (const size of shape) t.shapePool.push(size);
    return new Tensor(t.space.push(SPACES.indexOf(space)), name, shape, dtypeName, space);
  }

  /**
   * One row of the instruction table. Operands by parameter name; a `scalar` operand given as a number is an attribute.
   * @returns the instruction's index.
   */
  record(
    operation: string,
    operands: Record<string, Operand>,
    attributes: Record<string, AttributeValue> = {},
    options: RecordOptions = {},
  ) {
    const row = findRow(operation);
    if (!row) throw new Error(`no row ${operation} in the instruction table`);
    this.line = options.line ?? this.line + 1;
    this.i.operation.push(this.operations.of(operation));
    this.i.frame.push(this.frame(this.line));
    this.i.iteration.push(this.iteration);
    this.i.attributes.push(this.attributes.of(attributes));
    this.i.predicate.push(options.predicate ? this.predicates.of(options.predicate) : -1);
    const first = this.o.slot.length;
    const slots = Object.keys(row.operands);
    for (const name of Object.keys(operands)) if (!slots.includes(name)) throw new Error(`${operation} has no operand ${name}`);
    for (const [slot, name] of slots.entries()) if (operands[name]) this.operand(slot, operands[name]);
    return this.i.operandStart.push(first);
  }

  private operand(slot: number, operand: Operand) {
    const pattern = operand instanceof Tensor ? operand.all : operand;
    const o = this.o;
    o.slot.push(slot);
    o.tensor.push(pattern.tensor.index);
    o.dtype.push(dtype(pattern.dtype ?? pattern.tensor.dtype).code);
    o.offset.push(pattern.offset);
    o.dimStart.push(o.dimStride.length);
    for (const [stride, count] of pattern.dims) {
      o.dimStride.push(stride);
      o.dimCount.push(count);
    }
  }

  /** Records `body` once per value of the loop variable, each in its own iteration. */
  loop(name: string, values: number | number[], body: (value: number) => void, line = this.line + 1) {
    const outer = this.iteration;
    for (const value of typeof values === 'number' ? Array(values).keys() : values) {
      this.iteration = this.iterationOf.of([outer, this.strings.of(name), value, line]);
      body(value);
    }
    this.iteration = outer;
  }

  /** Records `body` inside a helper called from `line`. */
  call(functionName: string, line: number, body: () => void) {
    const [caller, name] = [this.caller, this.functionName];
    this.caller = this.frame(line);
    this.functionName = functionName;
    body();
    this.caller = caller;
    this.functionName = name;
  }

  private frame(line: number): number {
    return this.frameOf.of([this.caller, 0, line, this.strings.of(this.functionName)]);
  }

  /** Lines of the source file; absent: a comment. */
  source(text: string): this {
    this.meta.files[0] = { path: KERNEL_FILE, text, sha256: createHash('sha256').update(text).digest('hex') };
    return this;
  }

  finish(): Program {
    const column = (rows: readonly number[][], k: number) => rows.map(row => row[k]);
    const [frames, iterations] = [this.frameOf.list, this.iterationOf.list];
    return {
      ...this.meta,
      strings: [...this.strings.list],
      operations: [...this.operations.list],
      attributes: [...this.attributes.list],
      predicates: [...this.predicates.list],
      tensors: { ...finished(this.t), shapeStart: starts(this.t.shapeStart, this.t.shapePool.length) },
      frames: {
        parent: Int32Array.from(column(frames, 0)),
        file: Uint32Array.from(column(frames, 1)),
        line: Uint32Array.from(column(frames, 2)),
        function: Uint32Array.from(column(frames, 3)),
      },
      iterations: {
        parent: Int32Array.from(column(iterations, 0)),
        name: Uint32Array.from(column(iterations, 1)),
        value: Int32Array.from(column(iterations, 2)),
        line: Uint32Array.from(column(iterations, 3)),
      },
      instructions: { ...finished(this.i), operandStart: starts(this.i.operandStart, this.o.slot.length) },
      operands: { ...finished(this.o), dimStart: starts(this.o.dimStart, this.o.dimStride.length) },
    };
  }
}

/** A pool of equal values: each is kept once. */
class Interned<T> {
  readonly list: T[] = [];
  private readonly index = new Map<string, number>();

  of(value: T): number {
    const key = JSON.stringify(value);
    const known = this.index.get(key);
    if (known !== undefined) return known;
    this.index.set(key, this.list.length);
    return this.list.push(value) - 1;
  }
}

type Builders = Record<string, { finish(): unknown }>;
type Finished<T extends Builders> = { [K in keyof T]: ReturnType<T[K]['finish']> };

function finished<T extends Builders>(columns: T): Finished<T> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.finish()])) as Finished<T>;
}

/** Starts of rows in a pool, with the pool's end after the last. */
function starts(column: ColumnBuilder<Uint32Array>, end: number): Uint32Array {
  const all = new Uint32Array(column.length + 1);
  all.set(column.finish());
  all[column.length] = end;
  return all;
}
