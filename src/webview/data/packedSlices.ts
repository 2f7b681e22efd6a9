/**
 * The busy stretches of DMA engines in two or three bytes each instead of 25, while they are not shown. The engines of a transfer do the
 * same one after another: a slice with the same lag, duration and bytes as the one before is a single number. Exact: slices that would
 * lose precision are refused.
 */
import { orderOf } from '../../simulator/columns/order';
import { gathered } from '../../simulator/columns/rows';
import { VarintReader, VarintWriter } from '../../simulator/columns/varints';
import { STEPS_PER_NS } from '../../simulator/profile/clock';
import type { ProfileDmaSlices } from '../../simulator/profile/profile';

/** Slices that are packed, and read again, at a time. */
const CHUNK = 4096;

interface Slice {
  transfer: number;
  engine: number;
  /** In steps. */
  start: number;
  length: number;
  bytes: number;
  /** From the start of the slice before to the start of this one. */
  lag: number;
}

const FIRST: Slice = { transfer: 0, engine: 0, start: 0, length: 0, bytes: 0, lag: 0 };

/** Slices that are read together: their position in the bytes, and their span of time. */
interface Chunk {
  at: number;
  count: number;
  startNs: number;
  endNs: number;
}

export class PackedSlices {
  private constructor(
    private readonly count: number,
    private readonly packed: Uint8Array,
    private readonly chunks: readonly Chunk[],
    /** Numbers of bytes that occur. */
    private readonly sizes: Float32Array,
  ) {}

  /** Some at a time. null: times are not whole steps of the profile's clock. */
  static *packing(slices: ProfileDmaSlices): Generator<void, PackedSlices | null> {
    const writer = new VarintWriter();
    const sizes = new Map<number, number>();
    const chunks: Chunk[] = [];
    const before = { ...FIRST };
    for (const [k, row] of byTransfer(slices).entries()) {
      const start = slices.startNs[row] * STEPS_PER_NS;
      const length = slices.endNs[row] * STEPS_PER_NS - start;
      if (!isWhole(start) || !isWhole(length)) return null;
      if (k % CHUNK === 0) {
        Object.assign(before, FIRST);
        chunks.push({ at: writer.length, count: 0, startNs: slices.startNs[row], endNs: slices.endNs[row] });
        yield;
      }
      extend(chunks[chunks.length - 1], slices.startNs[row], slices.endNs[row]);
      const bytes = slices.bytes[row];
      const size = sizes.get(bytes) ?? sizes.size;
      sizes.set(bytes, size);
      write(writer, before, { transfer: slices.transfer[row], engine: slices.engine[row], start, length, bytes: size, lag: 0 });
    }
    return new PackedSlices(slices.startNs.length, writer.finish(), chunks, Float32Array.from(sizes.keys()));
  }

  get heldBytes(): number {
    return this.packed.byteLength + this.sizes.byteLength;
  }

  /** Sorted by start, as in the profile; those with equal starts by transfer. */
  unpack(): ProfileDmaSlices {
    return this.read(this.chunks, this.count);
  }

  /** All slices that overlap the window, and some around it. */
  within(fromNs: number, toNs: number): ProfileDmaSlices {
    const touched = this.chunks.filter(chunk => chunk.startNs <= toNs && chunk.endNs >= fromNs);
    return this.read(
      touched,
      touched.reduce((n, chunk) => n + chunk.count, 0),
    );
  }

  private read(chunks: readonly Chunk[], count: number): ProfileDmaSlices {
    const slices: ProfileDmaSlices = {
      startNs: new Float64Array(count),
      endNs: new Float64Array(count),
      engine: new Uint8Array(count),
      transfer: new Uint32Array(count),
      bytes: new Float32Array(count),
    };
    let row = 0;
    for (const chunk of chunks) {
      this.readChunk(chunk, slices, row);
      row += chunk.count;
    }
    return inOrder(slices);
  }

  private readChunk({ at, count }: Chunk, slices: ProfileDmaSlices, first: number) {
    const reader = new VarintReader(this.packed, at);
    const slice = { ...FIRST };
    for (let row = first; row < first + count; row++) {
      readNext(reader, slice);
      slices.startNs[row] = slice.start / STEPS_PER_NS;
      slices.endNs[row] = (slice.start + slice.length) / STEPS_PER_NS;
      slices.engine[row] = slice.engine;
      slices.transfer[row] = slice.transfer;
      slices.bytes[row] = this.sizes[slice.bytes];
    }
  }
}

function extend(chunk: Chunk, startNs: number, endNs: number) {
  chunk.count++;
  if (startNs < chunk.startNs) chunk.startNs = startNs;
  if (endNs > chunk.endNs) chunk.endNs = endNs;
}

const isWhole = (steps: number) => Number.isInteger(steps) && Math.abs(steps) < 2 ** 48;

/** An even number means: as the slice before, on the next engine. Otherwise the fields follow. */
function write(writer: VarintWriter, before: Slice, slice: Slice) {
  slice.lag = slice.start - before.start;
  const change = slice.lag - before.lag;
  const folded = change < 0 ? -2 * change - 1 : 2 * change;
  const alike =
    slice.transfer === before.transfer &&
    slice.engine === before.engine + 1 &&
    slice.length === before.length &&
    slice.bytes === before.bytes;
  writer.unsigned(folded * 2 + (alike ? 0 : 1));
  if (!alike) {
    writer.signed(slice.transfer - before.transfer);
    writer.unsigned(slice.engine);
    writer.signed(slice.length - before.length);
    writer.unsigned(slice.bytes);
  }
  Object.assign(before, slice);
}

/** Moves `slice` on to the next one. */
function readNext(reader: VarintReader, slice: Slice) {
  const head = reader.unsigned();
  const folded = Math.floor(head / 2);
  slice.lag += folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  slice.start += slice.lag;
  slice.engine++;
  if (head % 2 === 0) return;
  slice.transfer += reader.signed();
  slice.engine = reader.unsigned();
  slice.length += reader.signed();
  slice.bytes = reader.unsigned();
}

/** Rows by transfer; those of one transfer by start. */
function byTransfer({ transfer }: ProfileDmaSlices): Uint32Array {
  const next = new Uint32Array(transfer.reduce((most, t) => Math.max(most, t), 0) + 2);
  for (let row = 0; row < transfer.length; row++) next[transfer[row] + 1]++;
  for (let t = 1; t < next.length; t++) next[t] += next[t - 1];
  const rows = new Uint32Array(transfer.length);
  for (let row = 0; row < transfer.length; row++) rows[next[transfer[row]]++] = row;
  return rows;
}

function inOrder(slices: ProfileDmaSlices): ProfileDmaSlices {
  const order = orderOf(slices.startNs);
  return {
    startNs: gathered(slices.startNs, order),
    endNs: gathered(slices.endNs, order),
    engine: gathered(slices.engine, order),
    transfer: gathered(slices.transfer, order),
    bytes: gathered(slices.bytes, order),
  };
}
