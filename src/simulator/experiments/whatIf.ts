/** What-if questions by names, and their answers; and the default questions. */
import type { Profile } from '../profile/profile';
import { type Change, resources } from './changes';
import { Experiment } from './experiment';
import { NoExperiment } from './noExperiment';
import { previousUses } from './previousUse';

/** A question. `speed`: factor of the speed; Infinity: free. */
export type Question =
  | { line: { file: string; line: number }; speed: number }
  /** An engine, a queue, `DMA`, `HBM`, or one of `SWITCHES`. */
  | { resource: string; speed: number };

export interface Answer {
  question: Question;
  /** The change, in words. */
  what: string;
  baseNs: number;
  timeNs: number;
  deltaShare: number;
}

interface Switch {
  change(experiment: Experiment): Change;
  what: string;
}

/** Changes without a degree: `speed` does not matter. */
export const SWITCHES: Readonly<Record<string, Switch>> = {
  semaphores: { change: () => ({ kind: 'semaphores' }), what: 'semaphores are seen at once' },
  clock: { change: () => ({ kind: 'clock' }), what: 'the PE array at full clock from the start' },
  buffers: { change: () => ({ kind: 'buffers' }), what: 'nothing waits for a buffer' },
  'twice-buffers': { change: twiceTheBuffers, what: 'each buffer twice' },
  descriptors: { change: () => ({ kind: 'descriptors' }), what: 'DMA descriptors made by hardware' },
  'dma-starts': { change: () => ({ kind: 'dma starts' }), what: 'data moves as soon as a DMA is triggered' },
};

function twiceTheBuffers({ profile, code }: Experiment): Change {
  const events = new Uint8Array(code.instructions.track.length + code.transfers.queue.length).fill(1);
  return { kind: 'doubled buffers', events, previous: previousUses(profile) };
}

/** One for each question. @throws NoExperiment */
export function timeQuestions(profile: Profile, questions: readonly Question[]): Answer[] {
  const experiment = new Experiment(profile);
  return questions.map(question => answer(experiment, question));
}

/** Each resource twice as fast, and each switch: those that gain most first. What the machine does not have is left out. */
export function usualQuestions(profile: Profile): Answer[] {
  const experiment = new Experiment(profile);
  const questions: Question[] = [
    ...resources(experiment.code).map(resource => ({ resource, speed: 2 })),
    ...Object.keys(SWITCHES).map(resource => ({ resource, speed: 1 })),
  ];
  return questions
    .flatMap(question => {
      try {
        return [answer(experiment, question)];
      } catch (error) {
        if (error instanceof NoExperiment) return [];
        throw error;
      }
    })
    .sort((a, b) => a.timeNs - b.timeNs);
}

function answer(experiment: Experiment, question: Question): Answer {
  const { change, what } = changeOf(experiment, question);
  const baseNs = experiment.profile.totalTimeNs;
  const timeNs = experiment.totalNs(change);
  return { question, what, baseNs, timeNs, deltaShare: timeNs / baseNs - 1 };
}

function changeOf(experiment: Experiment, question: Question): { change: Change; what: string } {
  if (!(question.speed > 0)) throw new NoExperiment(`a speed of ${question.speed}: it must be above 0`);
  const speed = question.speed === Infinity ? 'free' : `${question.speed} times as fast`;
  if ('line' in question) {
    const { file, line } = question.line;
    return { change: { kind: 'events', events: experiment.eventsOf(file, line), speed: question.speed }, what: `line ${line} ${speed}` };
  }
  const { resource } = question;
  if (Object.hasOwn(SWITCHES, resource)) {
    const { change, what } = SWITCHES[resource];
    return { change: change(experiment), what };
  }
  return { change: { kind: 'resource', name: resource, speed: question.speed }, what: `${resource} ${speed}` };
}
