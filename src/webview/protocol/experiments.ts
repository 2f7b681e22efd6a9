/**
 * Experiments with the page's profile, as the page asks its host for them: advice, what if, the causal profile. Plain data in both
 * directions, without infinities. Types only; the host's answers have these shapes.
 */
import type { SourcePosition } from './sourcePosition';

/** `savedShare`: of its time, 0..1; 1 is free. */
export type Wish = { line: SourcePosition; savedShare: number } | { resource: string; savedShare: number };

/** One bound of the ladder. */
export interface Rung {
  name: string;
  timeNs: number;
  /** What it assumes. */
  meaning: string;
  /** Name of the busiest resource, for that bound. */
  resource?: string;
}

/** One rule's advice, for all lines that it helps. */
export interface Advice extends SourcePosition {
  rule: string;
  /** What to do. */
  title: string;
  /** What is wrong in the line that gains most. */
  reason: string;
  /** How it is written. */
  sketch: string;
  /** What the experiment changed. */
  tried: string;
  source: string;
  /** Why it cannot be done. */
  refused?: string;
  /** What the change did to the outputs of the run. */
  values?: { largestError: number; output: string; notFinite: number; allow: boolean };
  gainNs: number;
  /** Of the whole profile. */
  gainShare: number;
  /** Most first; `file` and `line` are the first one's. */
  lines: { file: string; line: number; gainNs: number }[];
  /** Where there are several ways to do it: each, the largest gain first. */
  ways: { name: string; gainNs: number; gainShare: number; lines: { file: string; line: number; gainNs: number }[] }[];
}

export interface AdviceReport {
  headline: { sentence: string };
  /** From the slowest. */
  ladder: Rung[];
  /** Most first. */
  advice: Advice[];
  /** The critical path when the hottest line is free, in words; null: no line has time of its own. */
  next: { mended: SourcePosition; text: string; timeNs: number; deltaShare: number } | null;
  /** Tried, and too little to tell apart. */
  rejected: Advice[];
  /** Why no advice was looked for. */
  noAdvice?: string;
}

export interface WhatIfAnswer {
  /** What was changed, in words. */
  what: string;
  /** What was made faster; null: a line, or a change without a degree. */
  resource: string | null;
  baseNs: number;
  timeNs: number;
  /** Of the whole profile; negative: it ends sooner. */
  deltaShare: number;
}

/** What the kernel takes when a line saves so much of its own time. */
export interface CausalLine extends SourcePosition {
  text: string;
  /** `savedShare` upwards, from 0 to 1. */
  curve: { savedShare: number; timeNs: number; deltaShare: number }[];
}

/** A question by its job. `wishes` null: the usual ones. */
export type ExperimentAsked =
  | { job: 'advise' }
  /** With other runs of the kernel: narrower dtypes on its values, tile sizes. Only where the host says that it runs kernels. */
  | { job: 'adviseByRuns' }
  | { job: 'whatIf'; wishes: readonly Wish[] | null }
  /** All at once. */
  | { job: 'retimed'; wishes: readonly Wish[] }
  | { job: 'causal' };

export interface ExperimentAnswers {
  advise: AdviceReport;
  adviseByRuns: AdviceReport;
  whatIf: WhatIfAnswer[];
  /** The container of the profile with its new times. */
  retimed: Uint8Array;
  causal: CausalLine[];
}
