/**
 * The limit for the memory of this whole process, array buffers and WebAssembly included, which no limit of V8 counts. It is watched from the
 * main thread, which never runs a kernel, so that no kernel can keep it from looking.
 */
import { OUT_OF_MEMORY } from './messages';

const EVERY_MS = 50;
const MB = 2 ** 20;
/** Beyond this share of the limit the process ends at once: stopping took too long. */
const TOO_FAR = 1.25;

/** @param limitMb of what runs now @param onOver called again and again once it was exceeded */
export function watchMemory(limitMb: () => number, onOver: () => void) {
  let isOver = false;
  const look = () => {
    const share = process.memoryUsage.rss() / (limitMb() * MB);
    if (share > TOO_FAR) process.exit(OUT_OF_MEMORY);
    isOver ||= share > 1;
    if (isOver) onOver();
  };
  setInterval(look, EVERY_MS).unref();
}
