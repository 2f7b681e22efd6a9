/**
 * The limit for the memory of this whole process, array buffers and WebAssembly included, which V8's limits do not count. The main thread
 * watches it. It never runs a kernel, so no kernel can block the watch.
 */
import { OUT_OF_MEMORY } from './messages';

const EVERY_MS = 50;
const MB = 2 ** 20;
/** Above this share of the limit the process ends at once, because stopping took too long. */
const TOO_FAR = 1.25;

/** @param limitMb the limit of the current run @param onOver called repeatedly once the limit was exceeded */
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
