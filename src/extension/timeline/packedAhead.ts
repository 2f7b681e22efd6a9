/**
 * Packs the busy intervals of a large profile while its page draws the rows: the page asks for them next, and they are most of the bytes.
 */
import { slicesPart } from '../../simulator/index';
import type { Compressor } from '../../webview/protocol/parcels';

interface Next {
  first: Uint8Array;
  container: Uint8Array;
  /** Null until the first part has been packed. */
  slices: { part: Uint8Array; packed: Promise<Uint8Array> } | null;
}

/** The pieces of the first part are written to the page by this thread, on which the next part is filtered. */
const PAUSE_MS = 250;

export class PackedAhead {
  private next: Next | null = null;

  constructor(
    private readonly pack: Compressor,
    private readonly pauseMs = PAUSE_MS,
  ) {}

  /** @param first the first part of this container, which is about to be packed and sent */
  expect(first: Uint8Array, container: Uint8Array): void {
    this.next = { first, container, slices: null };
  }

  /** What is packed for the page. */
  packed(bytes: Uint8Array): Promise<Uint8Array> {
    const { next } = this;
    if (next?.slices?.part === bytes) {
      this.next = null;
      return next.slices.packed;
    }
    const packed = this.pack(bytes);
    if (next?.first === bytes) packed.then(() => setTimeout(() => this.prepare(next), this.pauseMs)).catch(() => {}); // told where it is sent
    return packed;
  }

  /** The busy intervals of a container, the same array that is packed already where it was expected. */
  slicesOf(container: Uint8Array): Uint8Array {
    const { next } = this;
    return next?.container === container && next.slices ? next.slices.part : slicesPart(container);
  }

  private prepare(next: Next) {
    if (this.next !== next) return;
    const part = slicesPart(next.container);
    const packed = this.pack(part);
    packed.catch(() => {}); // told where it is asked for
    next.slices = { part, packed };
  }
}
