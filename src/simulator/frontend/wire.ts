/**
 * Framing of the wire in `protocol.ts`, shared by both bridges: bytes in any pieces to whole messages, and back.
 * The sender is a kernel and may be hostile: lengths are checked before anything is allocated. No meaning, no input or output.
 */

export interface WireMessage {
  header: Record<string, unknown>;
  payload: Uint8Array;
}

/** The peer broke the framing, so later bytes cannot be trusted. */
export class WireError extends Error {
  override name = 'WireError';
}

const HEAD_BYTES = 8;
/** A `done` message with a long traceback is some 100 KB. */
export const MAX_HEADER_BYTES = 16 * 1024 * 1024;
/** Above every array and program that fits the interpreter's 4 GB. */
export const MAX_PAYLOAD_BYTES = 2 ** 31 - 1;

const NO_BYTES = new Uint8Array(0);
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The two parts of one message, so that a payload of many megabytes is not copied. */
export function encodeMessage(header: object, payload: Uint8Array = NO_BYTES): [head: Uint8Array, payload: Uint8Array] {
  const json = encoder.encode(JSON.stringify(header));
  const head = new Uint8Array(HEAD_BYTES + json.length);
  const view = new DataView(head.buffer);
  view.setUint32(0, json.length, true);
  view.setUint32(4, payload.length, true);
  head.set(json, HEAD_BYTES);
  return [head, payload];
}

/** Collects pieces. Each part of a message is allocated once, when its length is known. */
export class MessageReader {
  private part: 'head' | 'header' | 'payload' = 'head';
  private buffer = new Uint8Array(HEAD_BYTES);
  private filled = 0;
  private payloadBytes = 0;
  private header: Record<string, unknown> = {};

  /**
   * Takes the next piece (copied: it may be a view of memory that moves) and gives the messages it completes.
   * @throws WireError when a length is beyond its limit or a header is not a JSON object.
   */
  push(piece: Uint8Array): WireMessage[] {
    const messages: WireMessage[] = [];
    let at = 0;
    for (;;) {
      const take = Math.min(piece.length - at, this.buffer.length - this.filled);
      this.buffer.set(piece.subarray(at, at + take), this.filled);
      at += take;
      this.filled += take;
      if (this.filled < this.buffer.length) return messages;
      const message = this.completePart();
      if (message) messages.push(message);
    }
  }

  /** Whether a message is incomplete. If input ends now, the message is broken. */
  get pending(): boolean {
    return this.part !== 'head' || this.filled > 0;
  }

  private completePart(): WireMessage | null {
    const done = this.buffer;
    if (this.part === 'head') {
      const view = new DataView(done.buffer);
      const headerBytes = view.getUint32(0, true);
      this.payloadBytes = view.getUint32(4, true);
      if (headerBytes === 0 || headerBytes > MAX_HEADER_BYTES) throw new WireError(`a message header of ${headerBytes} bytes`);
      if (this.payloadBytes > MAX_PAYLOAD_BYTES) throw new WireError(`a message payload of ${this.payloadBytes} bytes`);
      this.begin('header', headerBytes);
      return null;
    }
    if (this.part === 'header') {
      this.header = parseHeader(done);
      this.begin('payload', this.payloadBytes);
      return null;
    }
    this.begin('head', HEAD_BYTES);
    return { header: this.header, payload: done };
  }

  private begin(part: 'head' | 'header' | 'payload', bytes: number) {
    this.part = part;
    this.buffer = new Uint8Array(bytes);
    this.filled = 0;
  }
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(decoder.decode(bytes));
    if (header !== null && typeof header === 'object' && !Array.isArray(header)) return header as Record<string, unknown>;
  } catch {
    // falls through: one message for every broken header
  }
  throw new WireError('a message header that is not a JSON object');
}
