/**
 * Gestures that VS Code may swallow: a click while a menu is being drawn, a key before the focus has arrived. Each is held to what it
 * should do in the window, made again where nothing came of it, and counted. What our own code does with a gesture is not repeated.
 */
import { WAIT_LIMIT_MS } from '../../support/patience';

/** After this long without an effect a gesture is made again; the next time it has twice as long, so that a slow machine gets there. */
const PATIENCE_MS = 5000;
const LOOK_MS = 50;

let repeated = 0;
let swallowed = '';

/** For the closing line of the run. */
export const repeatedGestures = (): number => repeated;

/** For a step of a gesture whose effect is seen in the window: why it came to nothing is told if the gesture stays without effect. */
export function noEffect(error: unknown): void {
  swallowed = String(error).split('\n', 30).join('\n  ');
}

/**
 * @param make must do no harm when it is made twice
 * @param worked what the window shows once the gesture has arrived
 * @param firstPatienceMs of a gesture that takes longer than others
 * @throws Error that names the gesture, and what the window made of its last try
 */
export async function gesture(
  what: string,
  make: () => Promise<unknown>,
  worked: () => Promise<boolean>,
  firstPatienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + WAIT_LIMIT_MS;
  for (let patienceMs = firstPatienceMs; ; patienceMs *= 2) {
    swallowed = '';
    await make();
    const patience = Math.min(deadline, Date.now() + patienceMs);
    for (;;) {
      if (await worked()) return;
      if (Date.now() > patience) break;
      await new Promise(resolve => setTimeout(resolve, LOOK_MS));
    }
    if (Date.now() > deadline) throw new Error(`waited ${WAIT_LIMIT_MS} ms in vain for ${what}${swallowed && `: ${swallowed}`}`);
    repeated++;
    console.error(`    ↻ ${what}: no effect within ${patienceMs / 1000} s, made again`);
  }
}
