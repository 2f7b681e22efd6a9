/**
 * `/dev/nki` in the bundled interpreter: Python writes requests, which are handled synchronously, and reads replies. Python has only a
 * file descriptor, and no JavaScript object.
 */
import { type EmscriptenFs, ERRNO } from './emscripten';
import { encodeMessage, MessageReader, type WireMessage } from './wire';

export const DEVICE_PATH = '/dev/nki';

/** Synchronous; must not throw. */
export type Handler = (message: WireMessage) => { header: object; payload?: Uint8Array };

/** Any free major: Emscripten's own devices use 1, 5, 6 and the terminals from 64. */
const MAJOR = 78;

/** @returns whether the last message is incomplete */
export function createDevice(fs: EmscriptenFs, handle: Handler): () => boolean {
  const reader = new MessageReader();
  let isBroken = false;
  let replies: Uint8Array[] = [];
  const device = fs.makedev(MAJOR, 0);
  fs.registerDevice(device, {
    open() {},
    close() {},
    write(_stream, buffer, offset, length) {
      const piece = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
      try {
        for (const message of reader.push(piece)) {
          const { header, payload } = handle(message);
          replies.push(...encodeMessage(header, payload).filter(part => part.length > 0));
        }
      } catch {
        // a broken frame: the peer is not our front end; any other error type would tear down the interpreter
        isBroken = true;
        throw new fs.ErrnoError(ERRNO.EIO);
      }
      return length;
    },
    read(_stream, buffer, offset, length) {
      const part = replies[0];
      if (!part) return 0;
      const taken = Math.min(length, part.length);
      new Uint8Array(buffer.buffer, buffer.byteOffset + offset, taken).set(part.subarray(0, taken));
      if (taken === part.length) replies = replies.slice(1);
      else replies[0] = part.subarray(taken);
      return taken;
    },
    llseek() {
      throw new fs.ErrnoError(ERRNO.EINVAL);
    },
  });
  fs.mkdev(DEVICE_PATH, 0o666, device);
  return () => isBroken || reader.pending;
}
