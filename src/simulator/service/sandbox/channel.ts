/** Messages over the pipe between the process in which kernels run and the process that started it. It does not know what they mean. */
import type { Duplex } from 'node:stream';
import { encodeMessage, MessageReader } from '../../frontend/wire';

export class PipeChannel<Out extends object> {
  private readonly reader = new MessageReader();

  /** @param onBroken the other end broke the framing; nothing more is heard of it */
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
    // the other end is gone: its exit says so
    pipe.on('error', () => {});
  }

  send(message: Out, payload?: Uint8Array) {
    if (this.pipe.writableEnded || this.pipe.destroyed) return;
    for (const part of encodeMessage(message, payload)) if (part.length > 0) this.pipe.write(part);
  }
}
