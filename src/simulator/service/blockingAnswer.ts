/**
 * One answer that a worker waits for without returning to its event loop: text, or the message of an error. A kernel's worker must wait
 * in this way, because Python runs there without interruption.
 */

const STATE = 0;
const LENGTH = 1;
const [WAITING, DONE, FAILED] = [0, 1, 2];
const HEAD_BYTES = 8;
/** A path or a sentence. */
const MOST_BYTES = 64 * 1024;

export const newAnswer = (): SharedArrayBuffer => new SharedArrayBuffer(HEAD_BYTES + MOST_BYTES);

/** Waits for the answer. @throws Error with the message of the rejected promise */
export function waitForAnswer(shared: SharedArrayBuffer): string {
  const words = new Int32Array(shared, 0, 2);
  Atomics.wait(words, STATE, WAITING);
  const text = new TextDecoder().decode(new Uint8Array(shared, HEAD_BYTES, words[LENGTH]).slice());
  if (Atomics.load(words, STATE) === FAILED) throw new Error(text);
  return text;
}

/** Answers when the promise is settled. Never throws. */
export async function answerTo(shared: SharedArrayBuffer, promise: Promise<string>): Promise<void> {
  const [state, text] = await promise.then(
    path => [DONE, path] as const,
    error => [FAILED, (error as Error).message] as const,
  );
  const words = new Int32Array(shared, 0, 2);
  const bytes = new TextEncoder().encode(text).subarray(0, MOST_BYTES);
  new Uint8Array(shared, HEAD_BYTES).set(bytes);
  words[LENGTH] = bytes.length;
  Atomics.store(words, STATE, state);
  Atomics.notify(words, STATE);
}
