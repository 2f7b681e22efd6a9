/**
 * Tensors and access patterns of a compilation: those of the program, under their own numbers, followed by the ones the
 * compiler adds (temporaries of composite functions, parts of a tile). Columns; a pattern is a number.
 */
import { resized, roomFor } from '../columns/rows';
import { inElementsOf } from '../program/elements';
import type { Program } from '../program/program';
import { dtypes } from '../vocabulary/dtypes';
import type { Space } from '../vocabulary/spaces';
import { SPACES } from '../vocabulary/spaces';
import { type Placed, TensorAliases } from './aliases';

export const HBM = SPACES.indexOf('hbm');
export const SBUF = SPACES.indexOf('sbuf');
export const PSUM = SPACES.indexOf('psum');

const SIZES = Uint8Array.from(dtypes, d => d.sizeBytes);

/** Capacity for the rows of a program, doubled. */
const room = (rows: number) => Math.max(64, rows * 2 + 2);

export class Patterns {
  private tensorRows;
  private shapes;
  private rows;
  private walks;
  /** Names of the tensors the compiler added. */
  readonly addedNames: string[] = [];
  readonly programTensors: number;
  readonly aliases: TensorAliases;
  /** The kernel chose addresses on chip. */
  readonly placesTensors: boolean;
  tensors: number;
  length: number;
  private shapeEntries: number;
  private dimEntries: number;

  constructor(private readonly program: Program) {
    const { tensors, operands } = program;
    this.programTensors = this.tensors = tensors.space.length;
    this.length = operands.tensor.length;
    this.shapeEntries = tensors.shapePool.length;
    this.dimEntries = operands.dimStride.length;
    const { space, dtype, frame, shapeStart, shapePool } = tensors;
    this.tensorRows = resized({ space, dtype, frame, perPartition: new Float64Array(0) }, room(this.tensors));
    this.shapes = {
      start: resized({ start: shapeStart }, room(this.tensors)).start,
      size: resized({ shapePool }, room(this.shapeEntries)).shapePool,
    };
    this.rows = resized(
      { tensor: operands.tensor, dtype: operands.dtype, offset: operands.offset, dimStart: operands.dimStart },
      room(this.length),
    );
    for (let t = 0; t < this.tensors; t++) this.tensorRows.perPartition[t] = this.freeSize(t);
    this.walks = resized({ stride: operands.dimStride, count: operands.dimCount }, room(this.dimEntries));
    const placed = this.placed();
    this.placesTensors = placed.length > 0;
    this.aliases = new TensorAliases(placed);
  }

  /** Its columns, for another thread. */
  sent(): object {
    return { ...this, program: null, aliases: null };
  }

  /** @param columns of `sent` @param program the same as there */
  static received(columns: unknown, program: Program): Patterns {
    const made = new Patterns(program);
    return Object.assign(made, columns, { program, aliases: made.aliases });
  }

  private placed(): Placed[] {
    const { addressBytes } = this.program.tensors;
    const placed: Placed[] = [];
    for (let tensor = 0; tensor < this.programTensors; tensor++)
      if (addressBytes[tensor] >= 0 && this.space(tensor) !== HBM)
        placed.push({ tensor, space: this.space(tensor), addressBytes: addressBytes[tensor], sizeBytes: this.bytesPerPartition(tensor) });
    return placed;
  }

  /** Byte inside each partition that the kernel chose for the tensor, else -1. */
  chosenAddress(tensor: number): number {
    return tensor < this.programTensors ? this.program.tensors.addressBytes[tensor] : -1;
  }

  // --- tensors

  addTensor(name: string, space: Space, dtypeCode: number, shape: readonly number[], frame: number): number {
    const { shapes } = this;
    for (const size of shape) {
      shapes.size = roomFor({ size: shapes.size }, shapes.size.length, this.shapeEntries).size;
      shapes.size[this.shapeEntries++] = size;
    }
    this.tensorRows = roomFor(this.tensorRows, this.tensorRows.space.length, this.tensors);
    this.tensorRows.space[this.tensors] = SPACES.indexOf(space);
    this.tensorRows.dtype[this.tensors] = dtypeCode;
    this.tensorRows.frame[this.tensors] = frame;
    this.addedNames.push(name);
    shapes.start = roomFor({ start: shapes.start }, shapes.start.length, this.tensors + 1).start;
    shapes.start[this.tensors + 1] = this.shapeEntries;
    this.tensorRows.perPartition[this.tensors] = this.freeSize(this.tensors);
    return this.tensors++;
  }

  /** Another tensor of the same name and kind. @returns its number. */
  addVersion(tensor: number): number {
    const shape = Array.from({ length: this.rank(tensor) }, (_, axis) => this.size(tensor, axis));
    return this.addTensor(this.name(tensor), SPACES[this.space(tensor)], this.dtype(tensor), shape, this.frame(tensor));
  }

  /** Index in SPACES. */
  space(tensor: number): number {
    return this.tensorRows.space[tensor];
  }

  dtype(tensor: number): number {
    return this.tensorRows.dtype[tensor];
  }

  /** Where the tensor was allocated. */
  frame(tensor: number): number {
    return this.tensorRows.frame[tensor];
  }

  name(tensor: number): string {
    if (tensor >= this.programTensors) return this.addedNames[tensor - this.programTensors];
    return this.program.strings[this.program.tensors.name[tensor]];
  }

  rank(tensor: number): number {
    return this.shapes.start[tensor + 1] - this.shapes.start[tensor];
  }

  size(tensor: number, axis: number): number {
    return this.shapes.size[this.shapes.start[tensor] + axis];
  }

  elementBytes(tensor: number): number {
    return SIZES[this.tensorRows.dtype[tensor]];
  }

  /** Elements of all dimensions but the first: of one partition. */
  elementsPerPartition(tensor: number): number {
    return this.tensorRows.perPartition[tensor];
  }

  private freeSize(tensor: number): number {
    let n = 1;
    for (let axis = 1; axis < this.rank(tensor); axis++) n *= this.size(tensor, axis);
    return n;
  }

  bytesPerPartition(tensor: number): number {
    return this.elementsPerPartition(tensor) * this.elementBytes(tensor);
  }

  /** The kernel chose its address. */
  addressed(tensor: number): boolean {
    return tensor < this.programTensors && this.program.tensors.addressBytes[tensor] >= 0;
  }

  /** Memory, dtype and shape as text: tensors of one kind can stand for each other. */
  describeKind(tensor: number): string {
    const shape = Array.from({ length: this.rank(tensor) }, (_, axis) => this.size(tensor, axis));
    return `${this.space(tensor)} ${this.dtype(tensor)} ${shape.join(',')}`;
  }

  // --- patterns

  /** The pattern inside its tensor, as text. */
  describeWalk(pattern: number): string {
    let text = `${this.offset(pattern)}`;
    for (let dim = 0; dim < this.dims(pattern); dim++) text += ` ${this.strideOf(pattern, dim)}*${this.countOf(pattern, dim)}`;
    return text;
  }

  describe(pattern: number): string {
    return `${this.tensor(pattern)} ${this.describeWalk(pattern)}`;
  }

  /** Moves the pattern to the tensor that replaces its own, if there is one of the same kind. */
  move(pattern: number, instead: ReadonlyMap<number, number>) {
    const tensor = instead.get(this.tensor(pattern));
    if (tensor !== undefined) this.rows.tensor[pattern] = tensor;
  }

  /** A pattern over the whole tensor. */
  whole(tensor: number): number {
    const rank = this.rank(tensor);
    let stride = 1;
    const strides: number[] = [];
    for (let axis = rank - 1; axis >= 0; axis--) {
      strides.unshift(stride);
      stride *= this.size(tensor, axis);
    }
    return this.add(
      tensor,
      0,
      strides,
      strides.map((_, axis) => this.size(tensor, axis)),
    );
  }

  /** `dtype`: code as which the tensor is read; absent: its own. */
  add(tensor: number, offset: number, strides: readonly number[], counts: readonly number[], dtype = this.dtype(tensor)): number {
    for (let k = 0; k < strides.length; k++) {
      this.walks = roomFor(this.walks, this.walks.stride.length, this.dimEntries);
      this.walks.stride[this.dimEntries] = strides[k];
      this.walks.count[this.dimEntries++] = counts[k];
    }
    this.rows = roomFor(this.rows, this.rows.tensor.length, this.length + 1);
    this.rows.dimStart[this.length + 1] = this.dimEntries;
    this.rows.offset[this.length] = offset;
    this.rows.tensor[this.length] = tensor;
    this.rows.dtype[this.length] = dtype;
    return this.length++;
  }

  /** The same pattern over another tensor. */
  inTensor(pattern: number, tensor: number): number {
    const dims = Array.from({ length: this.dims(pattern) }, (_, dim) => dim);
    return this.add(
      tensor,
      this.offset(pattern),
      dims.map(dim => this.strideOf(pattern, dim)),
      dims.map(dim => this.countOf(pattern, dim)),
      this.dtypeOf(pattern),
    );
  }

  tensor(pattern: number): number {
    return this.rows.tensor[pattern];
  }

  /** Code of the dtype as which the pattern reads its tensor. */
  dtypeOf(pattern: number): number {
    return this.rows.dtype[pattern];
  }

  /**
   * The pattern in elements of its tensor's own dtype. If it reads the tensor as another dtype, the result covers at least its elements.
   */
  inOwnElements(pattern: number): number {
    const tensor = this.tensor(pattern);
    const [from, to] = [this.bytesOf(pattern), this.elementBytes(tensor)];
    if (from === to) return pattern;
    const dims = Array.from({ length: this.dims(pattern) }, (_, dim) => dim);
    const strides = dims.map(dim => this.strideOf(pattern, dim));
    const counts = dims.map(dim => this.countOf(pattern, dim));
    const own = inElementsOf({ offset: this.offset(pattern), strides, counts }, from, to);
    return this.add(tensor, own.offset, own.strides, own.counts);
  }

  /** Elements from the tensor's first. */
  offset(pattern: number): number {
    return this.rows.offset[pattern];
  }

  dims(pattern: number): number {
    return this.rows.dimStart[pattern + 1] - this.rows.dimStart[pattern];
  }

  strideOf(pattern: number, dim: number): number {
    return this.walks.stride[this.rows.dimStart[pattern] + dim];
  }

  countOf(pattern: number, dim: number): number {
    return this.walks.count[this.rows.dimStart[pattern] + dim];
  }

  spaceOf(pattern: number): number {
    return this.tensorRows.space[this.rows.tensor[pattern]];
  }

  bytesOf(pattern: number): number {
    return SIZES[this.rows.dtype[pattern]];
  }

  /** Number of partitions of the first dimension. */
  partitions(pattern: number): number {
    return this.dims(pattern) === 0 ? 1 : this.countOf(pattern, 0);
  }

  /** Elements, of the dtype that the pattern reads, in one partition of its tensor. */
  rowElements(pattern: number): number {
    return this.bytesPerPartition(this.tensor(pattern)) / this.bytesOf(pattern);
  }

  firstPartition(pattern: number): number {
    return Math.floor(this.offset(pattern) / this.rowElements(pattern));
  }

  /** Bytes from the start of the tensor inside each partition. */
  offsetInPartition(pattern: number): number {
    return (this.offset(pattern) % this.rowElements(pattern)) * this.bytesOf(pattern);
  }

  /** Elements of all dimensions but the first. */
  freeElements(pattern: number): number {
    let n = 1;
    for (let dim = 1; dim < this.dims(pattern); dim++) n *= this.countOf(pattern, dim);
    return n;
  }

  elements(pattern: number): number {
    return this.partitions(pattern) * this.freeElements(pattern);
  }

  /** Contiguous elements, from the innermost dimension outwards; on chip without the first dimension. */
  contiguousElements(pattern: number): number {
    const outermost = this.spaceOf(pattern) === HBM ? 0 : 1;
    let run = 1;
    for (let dim = this.dims(pattern) - 1; dim >= outermost; dim--) {
      if (this.countOf(pattern, dim) === 1) continue;
      if (this.strideOf(pattern, dim) !== run) break;
      run *= this.countOf(pattern, dim);
    }
    return run;
  }

  /** Runs of so many bytes, in the order of the pattern: from one to the next, bytes, and how many follow one another at this distance. */
  nextRun(pattern: number, runBytes: number): { stepBytes: number; count: number } {
    const elementBytes = this.bytesOf(pattern);
    let inside = 1;
    for (let dim = this.dims(pattern) - 1; dim >= 0; dim--) {
      const count = this.countOf(pattern, dim);
      const ofRun = runBytes / (inside * elementBytes);
      if (count > ofRun) return { stepBytes: this.strideOf(pattern, dim) * ofRun * elementBytes, count: count / ofRun };
      inside *= count;
    }
    return { stepBytes: 0, count: 1 };
  }

  /** The innermost free dimension that is walked has stride 1 (or nothing is walked). */
  unitStride(pattern: number): boolean {
    return this.innerStride(pattern) === 1;
  }

  /** Distance of neighbours in the innermost free dimension that is walked, elements; 1 where nothing is walked. */
  innerStride(pattern: number): number {
    for (let dim = this.dims(pattern) - 1; dim >= 1; dim--)
      if (this.countOf(pattern, dim) > 1) return Math.abs(this.strideOf(pattern, dim));
    return 1;
  }
}
