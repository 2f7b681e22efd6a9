/** Sends profiles that are to be stacked to the page as they come, so that it need not wait for the last. */
import type { StackEvent } from './messages';

/** Each time that profiles are added, all of the page is drawn again: less and less often, for the longer they take, the busier the machine is. */
const FIRST_PAUSE_MS = 1000;

type Given<Sent> = StackEvent<Sent>['profiles'][number];

/**
 * Below the page's own: the first one in place of what is stacked, the others beside it. Those that come soon after one another are sent together.
 * @param loads each is called when the one before has come; undefined: it cannot be shown
 * @param send false: nothing more is wanted
 */
export async function stackOneByOne<Sent>(
  loads: readonly (() => Promise<Given<Sent> | undefined>)[],
  send: (event: StackEvent<Sent>) => boolean,
): Promise<void> {
  let adds: true | undefined;
  let profiles: Given<Sent>[] = [];
  let [sentMs, pauseMs] = [Number.NEGATIVE_INFINITY, FIRST_PAUSE_MS];
  for (const [i, load] of loads.entries()) {
    const profile = await load();
    if (profile) profiles.push(profile);
    const isLast = i === loads.length - 1;
    if (profiles.length === 0 || (!isLast && performance.now() - sentMs < pauseMs)) continue;
    if (!send({ above: false, adds, profiles })) return;
    adds = true;
    profiles = [];
    if (sentMs > 0) pauseMs *= 2;
    sentMs = performance.now();
  }
}
