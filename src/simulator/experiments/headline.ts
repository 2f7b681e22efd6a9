/** One sentence on top: what the kernel is bound by, how much of what is possible it reaches, and what the rest waits for. */

import { bounds } from '../analyze/bounds';
import { percentText } from '../analyze/format';
import { onlyFile } from '../analyze/places';
import { eventName } from '../analyze/stallText';
import type { Profile } from '../profile/profile';
import { type Rung, reachableNs } from './ladder';
import type { Wait } from './restOfTime';

/** From this share on, the sentence names no rest. */
const NEARLY_ALL = 0.98;
/** Of the whole time: what gains less does not matter. */
const LEAST_SHARE = 0.01;

export interface Headline {
  /** `verdict` of `analyze/bounds.ts`. */
  bound: string;
  /** The largest bound over the kernel's body: 1 is as good as it gets. */
  reachedShare: number;
  sentence: string;
}

/** @param wait what matters most of what the rest waits for; null: no wait alone does */
export function headline(p: Profile, rungs: readonly Rung[], product: string, wait: () => Wait | null): Headline {
  const bodyNs = p.bodyEndNs - p.bodyStartNs;
  const reachedShare = bodyNs > 0 ? Math.min(1, reachableNs(rungs) / bodyNs) : 1;
  const { bound } = bounds(p).verdict;
  const rest = reachedShare < NEARLY_ALL ? restOf(p, wait()) : '';
  const begin = bound === 'waiting' ? 'Bound by waiting' : `${bound}-bound`;
  const reached = `${percentText(reachedShare)} of what this algorithm can reach on ${product}`;
  return { bound, reachedShare, sentence: `${begin}: ${reached}${rest && `; ${rest}`}.` };
}

function restOf(p: Profile, wait: Wait | null): string {
  if (!wait) return '';
  const isTold = wait.gainNs >= LEAST_SHARE * p.totalTimeNs;
  return isTold ? `the rest waits mostly for ${nameOf(p, wait)}` : 'no wait alone makes up the rest';
}

function nameOf(p: Profile, { reason, blocker }: Wait): string {
  const file = onlyFile(p);
  const who = eventName(p, blocker, file);
  // the instruction that triggers it is on the same line
  if (reason === 'descriptor') return `the start-up of ${eventName(p, blocker, file, 'DMA')}`;
  if (reason === 'buffer') return `a buffer that ${who} still uses`;
  return who;
}
