/**
 * Packs the parts of a large profile before its page asks for them: the first one while the page loads, the busy intervals, which are
 * most of the bytes, while it draws the rows.
 */
import { firstPart, slicesPart } from '../../simulator/index';
import type { Compressor } from '../../webview/protocol/parcels';

interface Packed {
  part: Uint8Array;
  packed: Promise<Uint8Array>;
}

interface Next {
  container: Uint8Array;
  first: Uint8Array;
  /** Null until it is packed ahead, and once it was sent. */
  packedFirst: Promise<Uint8Array> | null;
  /** It was given to the page: for the next time it is made anew, because annotations may have changed. */
  isGiven: boolean;
  slices: Packed | null;
}

/** The pieces of the first part are written to the page by this thread, on which the next part is filtered. */
const PAUSE_MS = 250;

export class PackedAhead {
  private next: Next | null = null;

  /** @param leastBytes as `firstPart` */
  constructor(
    private readonly pack: Compressor,
    private readonly pauseMs = PAUSE_MS,
    private readonly leastBytes?: number,
  ) {}

  /** Of a page that is loading and will ask for both parts. @param whole this container, with annotations */
  prepare(whole: Uint8Array, container: Uint8Array): void {
    const next = this.expected(whole, container);
    if (!next) return;
    next.packedFirst = this.pack(next.first);
    // told where it is sent
    next.packedFirst.then(() => this.prepareSlices(next)).catch(() => {});
  }

  /** The first part, for the page that asks for it now: the same array that is packed already where it was prepared. */
  firstOf(whole: Uint8Array, container: Uint8Array): Uint8Array {
    const { next } = this;
    const known = next?.container === container && !next.isGiven ? next : this.expected(whole, container);
    if (!known) return whole;
    known.isGiven = true;
    return known.first;
  }

  /** What is packed for the page. */
  packed(bytes: Uint8Array): Promise<Uint8Array> {
    const { next } = this;
    if (next?.slices?.part === bytes) {
      this.next = null;
      return next.slices.packed;
    }
    if (next?.first !== bytes) return this.pack(bytes);
    const packed = next.packedFirst ?? this.pack(bytes);
    next.packedFirst = null;
    packed.then(() => setTimeout(() => this.prepareSlices(next), this.pauseMs)).catch(() => {}); // told where it is sent
    return packed;
  }

  /** The busy intervals of a container, the same array that is packed already where it was expected. */
  slicesOf(container: Uint8Array): Uint8Array {
    const { next } = this;
    return next?.container === container && next.slices ? next.slices.part : slicesPart(container);
  }

  /** Null: it is sent whole. */
  private expected(whole: Uint8Array, container: Uint8Array): Next | null {
    const first = firstPart(whole, this.leastBytes);
    this.next = first === whole ? null : { container, first, packedFirst: null, isGiven: false, slices: null };
    return this.next;
  }

  private prepareSlices(next: Next) {
    if (this.next !== next || next.slices) return;
    const part = slicesPart(next.container);
    const packed = this.pack(part);
    packed.catch(() => {}); // told where it is asked for
    next.slices = { part, packed };
  }
}
