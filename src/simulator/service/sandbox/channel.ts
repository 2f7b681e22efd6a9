/**
 * Sends and receives messages over the pipe between the process in which kernels run and the process that started it. The meaning of
 * messages is not checked here.
 */
import type { Duplex } from 'node:stream';
import { encodeMessage, MessageReader } from '../../frontend/wire';

export class PipeChannel<Out extends object> {
  private readonly reader = new MessageReader();

  /** @param onBroken called when the other end breaks the framing; no messages follow */
  constructor(
    private readonly pipe: Duplex,
    hear: (header: Record<string, unknown>, payload: Uint8Array) => void,
    onBroken: (error: Error) => void,
  ) {
    pipe.on('data', (piece: Buffer) => {
      try {
        for (const { header, payload } of this.reader.push(piece)) hear(header, payload);
      } catch (error) {
        pipe.removeAllListeners('data').on('data', () => {});
        onBroken(error as Error);
      }
    });
    // the other end is closed; its exit event reports it
    pipe.on('error', () => {});
  }

  send(message: Out, payload?: Uint8Array) {
    if (this.pipe.writableEnded || this.pipe.destroyed) return;
    for (const part of encodeMessage(message, payload)) if (part.length > 0) this.pipe.write(part);
  }
}
