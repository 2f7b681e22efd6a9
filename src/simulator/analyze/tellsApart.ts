/**
 * Whether the model can tell two modelled times apart, and how a change says that it cannot. How small a difference may be was read from
 * published variants of problems (`hardware/likelyFactors.ts`).
 */
import { TELLS_APART_PERCENT } from '../hardware/likelyFactors';
import { percentText, signedPercentText } from './format';

export const TOO_SMALL = 'less than the model can tell apart';

export const SMALL_MARK = '≈';
/** Said beside what has the mark. */
export const SMALL_MARK_MEANS = `${SMALL_MARK} less than the model can tell apart (${TELLS_APART_PERCENT} %)`;

/** A change of a modelled time, as a share of the time before, that is not nothing and that the model cannot tell from nothing. */
export const isTooSmallShare = (share: number): boolean => share !== 0 && 100 * Math.abs(share) < TELLS_APART_PERCENT;

/** `−12 %`, `≈ −0.4 %`; `0 %` where the rest would not show. */
export const modelledChangeText = (share: number): string => {
  const text = signedPercentText(share);
  return isTooSmallShare(share) && Number.parseFloat(text) !== 0 ? `${SMALL_MARK} ${text}` : text;
};

/** How much longer another variant takes than the fastest: `+12 %`, `≈ +0.4 %`. */
export const slowerText = (share: number): string => `${isTooSmallShare(share) ? `${SMALL_MARK} ` : ''}+${percentText(share)}`;

/** What the mark means, where any of these changes has it; else nothing. @param shares changes of modelled times */
export const smallMarkNote = (shares: readonly number[]): string => (shares.some(hasMark) ? SMALL_MARK_MEANS : '');

const hasMark = (share: number) => modelledChangeText(share).startsWith(SMALL_MARK);
