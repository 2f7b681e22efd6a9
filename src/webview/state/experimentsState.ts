/** The state of experiments with the page's own profile: questions and answers. */
import type { AdviceReport, CausalLine, ExperimentAsked, WhatIfAnswer, Wish } from '../protocol/experiments';

export type Answered<T> = { is: 'unasked' } | { is: 'asked' } | { is: 'answered'; answer: T } | { is: 'refused'; reason: string };

/** What a wish is about; its degrees are the view's. */
export type WishSubject = { resource: string } | { line: { file: string; line: number } };

export interface ExperimentsState {
  advice: Answered<AdviceReport>;
  usual: Answered<readonly WhatIfAnswer[]>;
  causal: Answered<readonly CausalLine[]>;
  /** What the user chose, as it is answered. */
  wish: { of: WishSubject; answers: Answered<readonly WhatIfAnswer[]> } | null;
}

/** 0..1 of each job. */
export type ExperimentShares = Readonly<Record<ExperimentAsked['job'], number>>;

const UNASKED = { is: 'unasked' } as const;

/** Of a profile that has just come. */
export const NO_EXPERIMENTS: ExperimentsState = { advice: UNASKED, usual: UNASKED, causal: UNASKED, wish: null };

export const NO_SHARES: ExperimentShares = { advise: 0, whatIf: 0, causal: 0 };

/** Shares of its time that a wish saves, and what that is called. */
export const DEGREES: readonly { savedShare: number; text: string }[] = [
  { savedShare: 0.5, text: '2 × as fast' },
  { savedShare: 0.75, text: '4 × as fast' },
  { savedShare: 1, text: 'free' },
];

export const wishesOf = (of: WishSubject): Wish[] => DEGREES.map(({ savedShare }) => ({ ...of, savedShare }));
