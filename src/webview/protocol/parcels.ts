/**
 * Large byte arrays of messages cross packed and in pieces: the way from an extension host to its page may be a slow one, and the page
 * can say how much is there. Both ends keep the order of messages. A message with large arrays has a place for each, and follows their
 * pieces.
 */
import type { Port } from './channel';

/** Smaller ones stay in their message. */
const LARGE_BYTES = 1 << 20;
const PIECE_BYTES = 1 << 20;
/** Arrays stand this deep in a message at most: in a profile of a list of an event. */
const MOST_DEPTH = 4;

interface Piece {
  type: 'parcel';
  id: number;
  bytes: Uint8Array;
  /** Of all pieces together. */
  packedBytes: number;
}

/** In place of an array. */
interface Place {
  parcel: number;
}

/** Ends with raw deflate. */
export type Compressor = (bytes: Uint8Array) => Promise<Uint8Array>;

/** What the compressor does before deflate, undone. */
export type Restorer = (bytes: Uint8Array) => Uint8Array;

/** The end that sends. Messages that come in pass as they are. */
export function sendingParcels(port: Port, pack: Compressor): Port {
  let queue: Promise<void> | null = null;
  let nextId = 1;
  const send = async (message: unknown) => {
    const large: { id: number; packed: Promise<Uint8Array> }[] = [];
    const rest = replaced(message, value => {
      if (!(value instanceof Uint8Array) || value.length < LARGE_BYTES) return undefined;
      large.push({ id: nextId, packed: pack(value) });
      return { parcel: nextId++ } satisfies Place;
    });
    for (const { id, packed } of large) {
      const bytes = await packed;
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        // with a buffer of its own: VS Code sends the whole buffer that an array is a part of
        const piece = new Uint8Array(bytes.subarray(at, at + PIECE_BYTES));
        port.post({ type: 'parcel', id, bytes: piece, packedBytes: bytes.length } satisfies Piece);
      }
    }
    port.post(rest);
  };
  return {
    post(message) {
      if (!queue && !hasLarge(message)) return port.post(message);
      const sent: Promise<void> = (queue ?? Promise.resolve()).then(() => send(message));
      const done = sent.finally(() => {
        if (queue === done) queue = null;
      });
      queue = done;
    },
    listen: handler => port.listen(handler),
  };
}

/** How much of an array is there, packed. */
export interface ParcelReceived {
  receivedBytes: number;
  totalBytes: number;
}

/** The end that receives. Messages that go out pass as they are. */
export function receivingParcels(port: Port, restore: Restorer, onReceived: (received: ParcelReceived) => void): Port {
  return {
    post: message => port.post(message),
    listen(handler) {
      const parcels = new Map<number, Parcel>();
      let queue: Promise<void> | null = null;
      const deliver = async (message: unknown) => {
        const places: Place[] = [];
        replaced(message, value => (isPlace(value) && parcels.has(value.parcel) ? void places.push(value) : undefined));
        const arrived = new Map<number, Uint8Array>();
        for (const { parcel } of places) {
          arrived.set(parcel, restore(await parcels.get(parcel)!.whole()));
          parcels.delete(parcel);
        }
        handler(replaced(message, value => (isPlace(value) ? arrived.get(value.parcel) : undefined)));
      };
      return port.listen(message => {
        if (isPiece(message)) {
          const parcel = parcels.get(message.id) ?? new Parcel();
          parcels.set(message.id, parcel);
          onReceived({ receivedBytes: parcel.add(bytesOf(message.bytes)), totalBytes: message.packedBytes });
          return;
        }
        if (!queue && parcels.size === 0) return handler(message);
        const done: Promise<void> = (queue ?? Promise.resolve())
          .then(() => deliver(message))
          .finally(() => {
            if (queue === done) queue = null;
          });
        queue = done;
      });
    },
  };
}

/** Unpacked while it arrives. */
class Parcel {
  private readonly stream = new DecompressionStream('deflate-raw');
  private readonly writer = this.stream.writable.getWriter();
  private readonly unpacked = new Response(this.stream.readable).arrayBuffer();
  private receivedBytes = 0;

  /** @returns bytes that are there now */
  add(bytes: Uint8Array<ArrayBuffer>): number {
    // a fault of the stream is that of the whole
    this.writer.write(bytes).catch(() => {});
    this.receivedBytes += bytes.length;
    return this.receivedBytes;
  }

  async whole(): Promise<Uint8Array> {
    this.writer.close().catch(() => {});
    return new Uint8Array(await this.unpacked);
  }
}

/** Hosts differ in what arrives: VS Code may hand over the buffer instead of the view on it. */
const bytesOf = (value: Uint8Array | ArrayBuffer) => new Uint8Array(value as ArrayBuffer);

const isPiece = (message: unknown): message is Piece => (message as Partial<Piece> | null)?.type === 'parcel';
const isPlace = (value: unknown): value is Place => typeof (value as Partial<Place> | null)?.parcel === 'number';

function hasLarge(message: unknown): boolean {
  let found = false;
  replaced(message, value => {
    found ||= value instanceof Uint8Array && value.length >= LARGE_BYTES;
    return undefined;
  });
  return found;
}

/** A copy as far as values in it are replaced: those for which `by` gives something. */
function replaced(value: unknown, by: (value: unknown) => unknown, depth = MOST_DEPTH): unknown {
  const other = by(value);
  if (other !== undefined) return other;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth === 0) return value;
  if (Array.isArray(value)) return value.map(item => replaced(item, by, depth - 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, by, depth - 1)]));
}
