/** What a kernel gains when a line is free, and when it is twice as fast: one question for hovers and lenses, so that it is answered once. */
import type { Line, WishAnswer } from '../../simulator/index';
import type { Run } from '../run/run';
import type { Experiments } from '../timeline/experiments';

/** What the whole kernel would take less or more, as shares of it, negative: less. */
export interface LineGain {
  /** The line takes no time. */
  freeShare: number;
  /** The line takes half of its time. */
  twiceShare: number;
}

/** Its savings are those of `LineGain`, in that order. */
const asked = ({ file, line }: Line) => ({
  job: 'whatIf' as const,
  wishes: [1, 0.5].map(savedShare => ({ line: { file, line }, savedShare })),
});

function gain(answers: unknown): LineGain {
  const [free, twice] = answers as WishAnswer[];
  return { freeShare: free.deltaShare, twiceShare: twice.deltaShare };
}

/** Undefined: not answered yet. */
export function knownGain(experiments: Experiments, run: Run, line: Line): LineGain | undefined {
  const known = experiments.known(run, asked(line));
  return known && gain(known);
}

/** Undefined where the profile cannot be timed again; the timeline says why. */
export const gainOf = (experiments: Experiments, run: Run, line: Line, signal?: AbortSignal): Promise<LineGain | undefined> =>
  experiments.of(run, asked(line), { signal }).then(gain, () => undefined);
