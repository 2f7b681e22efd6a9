/**
 * What if, for recorded profiles: the replay timed again with something changed. What is compared is the model's time for the recorded
 * instructions, with the change and without it.
 */
import { FormatError } from '../columns/container';
import { type Change, changed, resources } from '../experiments/changes';
import { NoExperiment } from '../experiments/noExperiment';
import { type Answer, type Question, SWITCHES } from '../experiments/whatIf';
import type { Capture } from '../formats/capture/rows';
import { type ReplayCode, recordedBodyNs, replayCode, replayedBodyNs } from './replay';

/** Changes that a recording allows: those of machines and rates. Its waits are semaphores, which do not say what they are for. */
const CHANGES: Readonly<Record<string, Change>> = {
  semaphores: { kind: 'semaphores' },
  clock: { kind: 'clock' },
  'dma-starts': { kind: 'dma starts' },
};

/** @param questions absent: the usual ones @throws NoExperiment, FormatError */
export function captureQuestions(capture: Capture, target?: string, questions?: readonly Question[]): Answer[] {
  const code = replayCode(capture, target);
  const baseNs = bodyNs(code);
  const ask = (question: Question) => ({ ...answer(code, baseNs, question), recordedNs: recordedBodyNs(code) });
  if (questions) return questions.map(ask);
  const names = [...new Set(code.streams.flatMap(stream => resources(stream.code)))];
  return [...names, ...Object.keys(CHANGES)].map(resource => ask({ resource, speed: 2 })).sort((a, b) => a.timeNs - b.timeNs);
}

function answer(code: ReplayCode, baseNs: number, question: Question): Answer {
  if (!('resource' in question))
    throw new NoExperiment(
      'a recording is replayed as its engines issued it: ask for a resource, or capture the kernel here to ask for a line',
    );
  const { resource, speed } = question;
  if (!(speed > 0)) throw new NoExperiment(`a speed of ${speed}: it must be above 0`);
  if (Object.hasOwn(SWITCHES, resource) && !Object.hasOwn(CHANGES, resource))
    throw new NoExperiment(
      `${resource}: a recording does not say which waits are for buffers, nor how descriptors would be made. Capture the kernel here`,
    );
  const change = CHANGES[resource] ?? { kind: 'resource', name: resource, speed };
  const degree = speed === Infinity ? 'free' : `${speed} times as fast`;
  const what = CHANGES[resource] ? SWITCHES[resource].what : `${resource} ${degree}`;
  const timeNs = bodyNs(code, change);
  return { question, what, baseNs, timeNs, deltaShare: timeNs / baseNs - 1 };
}

/** Of the replayed body. */
function bodyNs(code: ReplayCode, change?: Change): number {
  const all = code.streams.flatMap(stream => resources(stream.code));
  const streams = code.streams.map(stream => {
    // A queue that only one core has.
    const isElsewhere = change?.kind === 'resource' && all.includes(change.name) && !resources(stream.code).includes(change.name);
    return change && !isElsewhere ? { ...stream, code: changed(stream.code, change) } : stream;
  });
  const timeNs = replayedBodyNs({ ...code, streams });
  if (!(timeNs > 0)) throw new FormatError('the recording holds no kernel body');
  return timeNs;
}
