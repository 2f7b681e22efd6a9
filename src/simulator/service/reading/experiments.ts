/**
 * Experiments for hosts that show a profile: advice, what if, the causal profile, a profile timed again. Answers are plain data without
 * infinities, so that they can be sent as JSON, or a profile's container. `experiments/` makes experiments, and `readingClient.ts` runs them.
 */
import os from 'node:os';
import { type AdviceReport, advise } from '../../advice/advise';
import { byEffect, type CausalLine, type CausalPoint, causalProfile } from '../../experiments/causal';
import { NoExperiment } from '../../experiments/noExperiment';
import { type Answer, type Question, SWITCHES, usualQuestions } from '../../experiments/whatIf';
import type { Profile } from '../../profile/profile';
import type { ProfileSource } from './messages';
import type { ReadingClient } from './readingClient';

/** `savedShare`: the saved part of its time, 0..1; 1 is free. */
export type Wish = { line: { file: string; line: number }; savedShare: number } | { resource: string; savedShare: number };

export type ExperimentAsked =
  | { job: 'advise' }
  | { job: 'whatIf' /** null: the default questions. */; wishes: readonly Wish[] | null }
  /** All at once; the answer is the container of the profile with these times. */
  | { job: 'retimed'; wishes: readonly Wish[] }
  | { job: 'causal' };

/** A line of the causal profile, with its curve by saved share. */
export type CausalCurve = Omit<CausalLine, 'curve'> & { curve: Omit<CausalPoint, 'speed'>[] };

export type WishAnswer = Omit<Answer, 'question'> & {
  /** The resource that was made faster; null: a line, or a change without a speed. */ resource: string | null;
};

export type ExperimentAnswer = AdviceReport | WishAnswer[] | CausalCurve[] | Uint8Array;

export interface Watching {
  signal?: AbortSignal;
  /** Called with the finished share, 0..1. */
  onProgress?(share: number): void;
}

type Reads = Pick<ReadingClient, 'run'>;

/** @throws ReadingError, SimulatorFault */
export async function experimentIn(
  reading: Reads,
  source: ProfileSource,
  asked: ExperimentAsked,
  watching: Watching = {},
): Promise<ExperimentAnswer> {
  const { signal, onProgress } = watching;
  const sources = [source];
  if (asked.job === 'advise') return reading.run('advise', { sources }, signal, onProgress);
  if (asked.job === 'causal') return (await causalIn(reading, source, watching)).map(withoutSpeeds);
  if (asked.job === 'retimed') return reading.run('retimed', { sources, questions: asked.wishes.map(questionOf) }, signal);
  const questions = asked.wishes?.map(questionOf);
  return (await reading.run('whatIf', { sources, questions }, signal)).map(wishAnswer);
}

/** The answers for a page without a host: all but the user's own questions. Null if the profile cannot be timed again. */
export function answersOf(profile: Profile): { advise: AdviceReport; whatIf: WishAnswer[]; causal: CausalCurve[] } | null {
  try {
    return {
      advise: advise(profile),
      whatIf: usualQuestions(profile).map(wishAnswer),
      causal: causalProfile(profile).map(withoutSpeeds),
    };
  } catch (error) {
    if (error instanceof NoExperiment) return null;
    throw error;
  }
}

/** Two workers, each with every other line. Lines with the largest effect come first. @throws ReadingError, SimulatorFault */
export async function causalIn(reading: Reads, source: ProfileSource, { signal, onProgress }: Watching = {}): Promise<CausalLine[]> {
  const of = Math.min(2, os.availableParallelism());
  const done = new Array<number>(of).fill(0);
  const parts = done.map((_, index) =>
    reading.run('causal', { sources: [source], part: { index, of } }, signal, share => {
      done[index] = share;
      onProgress?.(done.reduce((a, b) => a + b) / of);
    }),
  );
  return (await Promise.all(parts)).flat().sort(byEffect);
}

const questionOf = ({ savedShare, ...of }: Wish): Question => ({ ...of, speed: 1 / (1 - savedShare) }) as Question;

function wishAnswer({ question, ...answer }: Answer): WishAnswer {
  const resource = 'resource' in question && !Object.hasOwn(SWITCHES, question.resource) ? question.resource : null;
  return { ...answer, resource };
}

const withoutSpeeds = ({ curve, ...line }: CausalLine): CausalCurve => ({ ...line, curve: curve.map(({ speed: _, ...point }) => point) });
