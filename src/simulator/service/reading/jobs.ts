/** The jobs of the reading worker. The command line has the export job (`cli/exportPieces.ts`). */
import { advise } from '../../advice/advise';
import { compare } from '../../analyze/compare/compare';
import { lines } from '../../analyze/lines';
import { pathReport, slackSummary } from '../../analyze/pathReport';
import { namePartsOf } from '../../analyze/runNames';
import { causalProfile } from '../../experiments/causal';
import { Experiment } from '../../experiments/experiment';
import { nextPath } from '../../experiments/nextPath';
import { NoExperiment } from '../../experiments/noExperiment';
import { retimedWith, timeQuestions, usualQuestions } from '../../experiments/whatIf';
import type { Capture } from '../../formats/capture/rows';
import { thumbnailSvg } from '../../formats/thumbnail';
import { encodeProfile } from '../../profile/codec';
import { coresOf, ofCore } from '../../profile/ofCore';
import type { Profile } from '../../profile/profile';
import { captureQuestions } from '../../replay/questions';
import { replayCapture } from '../../replay/replay';
import { recordingReport } from '../../replay/report';
import type { PathOfProfile, ProfileSource, ReadJobs } from './messages';
import { captureAt, inFile, readContainer, readProfile } from './profileAt';
import { ReadingError } from './readingError';
import type { Tell } from './serveJobs';

type Jobs = { [K in keyof ReadJobs]: (given: Parameters<ReadJobs[K]>[0], send?: unknown, tell?: Tell) => Promise<ReturnType<ReadJobs[K]>> };

export const readJobs: Jobs = {
  container: ({ sources: [source] }) => readContainer(source),
  lines: async ({ sources: [source], attribute, core }) => lines(partOf(await readProfile(source), core), { attribute }),
  path: async ({ sources: [source] }) => pathOf(await readProfile(source)),
  glance: async ({ sources: [source] }) => {
    const profile = await readProfile(source);
    return { name: namePartsOf(profile), picture: thumbnailSvg(profile) };
  },
  compare: async ({ sources: [before, after] }) => compare(await readProfile(before), await readProfile(after)),
  retimed: ({ sources: [source], questions }) => experimented(source, profile => encodeProfile(retimedWith(profile, questions))),
  whatIf: async ({ sources: [source], questions }) => {
    const profile = await readProfile(source);
    if (!profile.simulated && 'path' in source) return ofRecording(source, capture => captureQuestions(capture, undefined, questions));
    return timedAgain(profile, read => (questions ? timeQuestions(read, questions) : usualQuestions(read)));
  },
  advise: async ({ sources: [source] }, _, tell) => {
    const profile = await readProfile(source);
    if (!profile.simulated && 'path' in source) return ofRecording(source, capture => recordingReport(capture, profile));
    return timedAgain(profile, read => advise(read, { onProgress: shareOf(tell) }));
  },
  causal: ({ sources: [source], part }, _, tell) =>
    experimented(source, profile => causalProfile(profile, { part, onProgress: shareOf(tell) })),
  replay: async ({ sources: [source], target }) => {
    if (!('path' in source)) throw new ReadingError('disk', 'replays are of files');
    const capture = await captureAt(source);
    return inFile(source.path, () => replayCapture(capture, target));
  },
};

const shareOf = (tell: Tell | undefined) => (done: number, of: number) => tell?.(done / of);

function pathOf(profile: Profile): PathOfProfile {
  const report = { ...pathReport(profile), slack: slackSummary(profile) };
  try {
    return { ...report, next: nextPath(new Experiment(profile)), whyNoNext: null };
  } catch (error) {
    if (error instanceof NoExperiment) return { ...report, next: null, whyNoNext: error.message };
    throw error;
  }
}

/** @throws ReadingError if the profile cannot be timed again, or does not have the requested line or resource */
async function experimented<T>(source: ProfileSource, answer: (profile: Profile) => T): Promise<T> {
  return timedAgain(await readProfile(source), answer);
}

/** @throws ReadingError as `experimented` does */
function timedAgain<T>(profile: Profile, answer: (profile: Profile) => T): T {
  try {
    return answer(profile);
  } catch (error) {
    if (error instanceof NoExperiment) throw new ReadingError('format', error.message);
    throw error;
  }
}

/** What its replay says. @throws ReadingError */
async function ofRecording<T>(source: ProfileSource & { path: string }, answer: (capture: Capture) => T): Promise<T> {
  const capture = await captureAt(source);
  try {
    return await inFile(source.path, () => answer(capture));
  } catch (error) {
    if (error instanceof NoExperiment) throw new ReadingError('format', error.message);
    throw error;
  }
}

/** One core's part; absent: the whole profile. @throws ReadingError */
function partOf(profile: Profile, core: number | undefined): Profile {
  if (core === undefined) return profile;
  const cores = coresOf(profile);
  if (cores.includes(core)) return ofCore(profile, core);
  throw new ReadingError('format', cores.length === 0 ? 'the kernel ran on one core' : `the kernel ran on cores ${cores.join(', ')}`);
}
