/** The state of experiments with the page's own profile: questions and answers. */
import type { AdviceReport, CausalLine, ExperimentAsked, WhatIfAnswer, Wish } from '../protocol/experiments';

export type Answered<T> = { is: 'unasked' } | { is: 'asked' } | { is: 'answered'; answer: T } | { is: 'refused'; reason: string };

/** What a wish is about. */
export type WishSubject = { resource: string } | { line: { file: string; line: number } };

/** The user's own experiment: what is faster, all at once. */
export interface OwnExperiment {
  wishes: readonly Wish[];
  /** What was set before each change, the last one at the end: undo goes back to it. */
  before: readonly (readonly Wish[])[];
  /** Total time of the profile with them. */
  answer: Answered<{ timeNs: number }>;
}

export interface ExperimentsState {
  advice: Answered<AdviceReport>;
  /** The advice with what other runs of the kernel show. */
  byRuns: Answered<AdviceReport>;
  usual: Answered<readonly WhatIfAnswer[]>;
  causal: Answered<readonly CausalLine[]>;
  own: OwnExperiment;
}

/** 0..1 of each job. */
export type ExperimentShares = Readonly<Record<ExperimentAsked['job'], number>>;

const UNASKED = { is: 'unasked' } as const;

/** Of a profile that has just come. */
export const NO_EXPERIMENTS: ExperimentsState = {
  advice: UNASKED,
  byRuns: UNASKED,
  usual: UNASKED,
  causal: UNASKED,
  own: { wishes: [], before: [], answer: UNASKED },
};

export const NO_SHARES: ExperimentShares = { advise: 0, adviseByRuns: 0, whatIf: 0, retimed: 0, causal: 0 };
