/**
 * Copies elements between flat arrays through access patterns: in WebAssembly if both are in its memory and no cast is needed, else row
 * by row here.
 */
import { type Block, eachBlock, extent, type Pattern, product, runFrom } from './patterns';
import { scratch } from './scratch';
import type { BlockWalk } from './wasm/copy';

export type Elements = Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;
type Words = Float32Array | Int32Array | Uint32Array;
type Copy = (source: BlockWalk, target: BlockWalk, rows: number, columns: number) => void;

/** Copies the elements of the pattern into `out`, cast by `out`'s own class. */
export function gather(from: Elements, pattern: Pattern, out: Elements): void {
  const copy = copyBetween(from, pattern, out, dense(pattern));
  eachBlock(pattern, (at, position, block) => copy({ ...block, at }, inOrder(position, block), block.rows, block.columns));
}

/** Copies `values` to the elements of the pattern. */
export function scatter(values: Elements, pattern: Pattern, to: Elements): void {
  const copy = copyBetween(values, dense(pattern), to, pattern);
  eachBlock(pattern, (at, position, block) => copy(inOrder(position, block), { ...block, at }, block.rows, block.columns));
}

/** Copies elements from one pattern to another, if one of the two is a single run. @returns whether it did. */
export function transfer(from: Elements, source: Pattern, to: Elements, target: Pattern): boolean {
  const count = product(target.counts);
  const [read, written] = [runFrom(source), runFrom(target)];
  if (written >= 0) gather(from, source, to.subarray(written, written + count));
  else if (read >= 0) scatter(from.subarray(read, read + count), target, to);
  else return false;
  return true;
}

/** Writes one value to all elements of the pattern. */
export function fill(value: number, pattern: Pattern, to: Elements): void {
  eachBlock(pattern, (at, _, { rows, columns, row, step }) => {
    for (let r = 0, first = at; r < rows; r++, first += row)
      if (step === 1) to.fill(value, first, first + columns);
      else for (let c = 0; c < columns; c++) to[first + c * step] = value;
  });
}

const dense = ({ counts }: Pattern): Pattern => ({ offset: 0, strides: [1], counts: [product(counts)] });
const inOrder = (at: number, { columns }: Block): BlockWalk => ({ at, row: columns, step: 1 });

/** Gives a function that copies blocks from one array to another. */
function copyBetween(from: Elements, source: Pattern, to: Elements, target: Pattern): Copy {
  const { copies } = scratch();
  if (
    isWords(from) &&
    isWords(to) &&
    from.constructor === to.constructor &&
    copies.reaches(from, to) &&
    holds(from, source) &&
    holds(to, target)
  )
    return (read, written, rows, columns) => copies.block(from, read, to, written, rows, columns);
  // float32 is copied as integer words, because copying as numbers could change the bits of NaNs
  const asWords = from instanceof Float32Array && to instanceof Float32Array;
  const [source32, target32] = asWords ? [words(from), words(to)] : [from, to];
  return (read, written, rows, columns) => copyRows(source32, read, target32, written, rows, columns);
}

const isWords = (elements: Elements): elements is Words => elements.BYTES_PER_ELEMENT === 4;

const words = ({ buffer, byteOffset, length }: Float32Array) => new Uint32Array(buffer, byteOffset, length);

function holds({ length }: Elements, pattern: Pattern): boolean {
  const [low, high] = extent(pattern) ?? [0, -1];
  return low >= 0 && high < length;
}

function copyRows(from: Elements, source: BlockWalk, to: Elements, target: BlockWalk, rows: number, columns: number): void {
  for (let r = 0, [read, written] = [source.at, target.at]; r < rows; r++, read += source.row, written += target.row)
    if (target.step !== 1) copyRow(from, read, source.step, to, written, target.step, columns);
    else if (source.step === 1) to.set(from.subarray(read, read + columns), written);
    else if (source.step === 0) to.fill(from[read], written, written + columns);
    else copyRow(from, read, source.step, to, written, 1, columns);
}

function copyRow(from: Elements, read: number, readStep: number, to: Elements, written: number, writtenStep: number, count: number): void {
  for (let j = 0; j < count; j++) to[written + j * writtenStep] = from[read + j * readStep];
}
