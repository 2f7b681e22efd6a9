/** What-if questions by names, and their answers; and the default questions. */
import { lines } from '../analyze/lines';
import type { Profile } from '../profile/profile';
import { ENGINES, type Engine } from '../vocabulary/engines';
import { type Change, resources } from './changes';
import { Experiment } from './experiment';
import { NoExperiment } from './noExperiment';
import { eventsMovedTo } from './otherEngine';
import { previousUses } from './previousUse';
import { retimed } from './retimed';

/** A question. `speed`: factor of the speed; Infinity: free. */
export type Question =
  | { line: { file: string; line: number }; speed: number }
  /** The line's instructions on another engine, at what they cost there. */
  | { line: { file: string; line: number }; engine: string }
  /** An engine, a queue, `DMA`, `HBM`, or one of `SWITCHES`. */
  | { resource: string; speed: number };

export interface Answer {
  question: Question;
  /** The change, in words. */
  what: string;
  baseNs: number;
  timeNs: number;
  deltaShare: number;
  /** Why the change is not possible with this profile: the times are as it is, then. */
  refused?: string;
  /** Of a recording: its body. `baseNs` is the model's time for the same instructions then. */
  recordedNs?: number;
}

/** Hot lines that are tried on other engines without being asked for. */
const MOVED_LINES = 3;

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

/** The profile with all of these changes at once. Of questions with a speed only: a switch may move instructions to another engine. @throws NoExperiment */
export function retimedWith(profile: Profile, questions: readonly Question[]): Profile {
  const experiment = new Experiment(profile);
  const changes = questions.map(question => {
    if ('engine' in question) throw new NoExperiment(`another engine for line ${question.line.line} has no speed`);
    if ('resource' in question && Object.hasOwn(SWITCHES, question.resource)) throw new NoExperiment(`${question.resource} has no speed`);
    return changeOf(experiment, question).change;
  });
  // of what was recorded, not of the experiment
  return { ...retimed(experiment, experiment.schedule(...changes)), likely: undefined };
}

/**
 * Each resource twice as fast, each switch, and the hottest lines on every other engine that can execute them: those that gain most
 * first; what is not possible last, with the reason.
 */
export function usualQuestions(profile: Profile): Answer[] {
  const experiment = new Experiment(profile);
  const questions: Question[] = [
    ...resources(experiment.code).map(resource => ({ resource, speed: 2 })),
    ...Object.keys(SWITCHES).map(resource => ({ resource, speed: 1 })),
  ];
  const answers = questions.map(question => {
    try {
      return answer(experiment, question);
    } catch (error) {
      if (error instanceof NoExperiment && 'resource' in question) return refusal(profile, question, error.message);
      throw error;
    }
  });
  return [...answers, ...movedLines(experiment)].sort((a, b) => Number('refused' in a) - Number('refused' in b) || a.timeNs - b.timeNs);
}

function refusal({ totalTimeNs }: Profile, question: Question & { resource: string }, refused: string): Answer {
  const what = `${SWITCHES[question.resource]?.what ?? question.resource}: not possible, ${refused}`;
  return { question, what, baseNs: totalTimeNs, timeNs: totalTimeNs, deltaShare: 0, refused };
}

function movedLines(experiment: Experiment): Answer[] {
  return lines(experiment.profile)
    .slice(0, MOVED_LINES)
    .flatMap(({ file, line }) =>
      ENGINES.flatMap(engine => {
        try {
          return [answer(experiment, { line: { file, line }, engine })];
        } catch (error) {
          if (error instanceof NoExperiment) return [];
          throw error;
        }
      }),
    );
}

function answer(experiment: Experiment, question: Question): Answer {
  const { change, what } = changeOf(experiment, question);
  const baseNs = experiment.profile.totalTimeNs;
  const timeNs = experiment.totalNs(change);
  return { question, what, baseNs, timeNs, deltaShare: timeNs / baseNs - 1 };
}

function changeOf(experiment: Experiment, question: Question): { change: Change; what: string } {
  if ('engine' in question) {
    const { file, line } = question.line;
    const engine = ENGINES.find(name => name === question.engine);
    if (!engine) throw new NoExperiment(`there is no engine ${question.engine}; there are ${ENGINES.join(', ')}`);
    return { change: movedLine(experiment, file, line, engine), what: `line ${line} on ${engine}` };
  }
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

function movedLine(experiment: Experiment, file: string, line: number, engine: Engine): Change {
  try {
    return eventsMovedTo(experiment, experiment.eventsOf(file, line), engine);
  } catch (error) {
    if (error instanceof NoExperiment) throw new NoExperiment(`line ${line} on ${engine} is not possible: ${error.message}`);
    throw error;
  }
}
