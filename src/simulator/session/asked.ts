/** What scripts ask about a profile over the wire (`nki_scope.Profile`): its figures, its lines, advice, whether it keeps a budget, a picture. */
import { advise } from '../advice/advise';
import { bounds } from '../analyze/bounds';
import { lines } from '../analyze/lines';
import { warnings } from '../analyze/warnings';
import { baselineEntry, entryJson, parseEntry } from '../budgets/baseline';
import { parseBudgets } from '../budgets/budget';
import { judge } from '../budgets/verdict';
import { NoExperiment } from '../experiments/noExperiment';
import { adviceJson, lineJson, warningJson } from '../formats/answersJson';
import { decodeNkiprof, encodeNkiprof } from '../formats/nkiprof';
import { thumbnailSvg } from '../formats/thumbnail';
import { decodeProfile, encodeProfile } from '../profile/codec';
import type { Profile } from '../profile/profile';
import { RunError } from './backend';

interface AskedAnswer {
  answer: Record<string, unknown>;
  bytes?: Uint8Array;
}

type AskedQuestion = (profile: Profile, given: Readonly<Record<string, unknown>>) => AskedAnswer;

const QUESTIONS: Readonly<Record<string, AskedQuestion>> = {
  summary: p => ({ answer: summaryJson(p) }),
  lines: p => ({ answer: { lines: lines(p).map(lineJson) } }),
  advice: p => ({ answer: adviceJson(advised(p)) }),
  baseline: p => ({ answer: entryJson(baselineEntry(p)) }),
  budget: (p, given) => ({ answer: { faults: faultsOf(p, given) } }),
  picture: p => ({ answer: { svg: thumbnailSvg(p) } }),
  /** As a file. */
  file: p => ({ answer: {}, bytes: encodeNkiprof(p) }),
};

/** @param profile a container; with `read`, a .nkiprof file, whose container is the answer's bytes. @throws RunError, FormatError */
export function answerAbout(about: string, profile: Uint8Array, given: Readonly<Record<string, unknown>>): AskedAnswer {
  if (about === 'read') {
    const read = decodeNkiprof(profile);
    return { answer: summaryJson(read), bytes: encodeProfile(read) };
  }
  if (!Object.hasOwn(QUESTIONS, about)) throw new RunError('ProtocolError', `nothing is known about ${JSON.stringify(about.slice(0, 80))}`);
  return QUESTIONS[about](decodeProfile(profile), given);
}

function summaryJson(p: Profile): Record<string, unknown> {
  return {
    kernel: p.kernel,
    target: p.target,
    total_ns: p.totalTimeNs,
    body_ns: p.bodyEndNs - p.bodyStartNs,
    interval: p.likely ? [p.likely.lowNs, p.likely.highNs] : null,
    bound: bounds(p).sentences,
    inputs: p.inputs.map(({ name, dtype, shape }) => ({ name, dtype, shape })),
    files: p.files.map(({ path, sha256 }) => ({ path, sha256 })),
    warnings: warnings(p).map(warningJson),
    checks: p.checks,
  };
}

/** @param given a budget, and `baseline`, its stored entry, if there is one. @throws RunError that names what is wrong with them */
function faultsOf(p: Profile, { baseline, ...given }: Readonly<Record<string, unknown>>) {
  try {
    const [budget] = parseBudgets([{ name: p.kernel, file: p.kernel, ...given }]);
    return judge(budget, p, baseline ? { [budget.name]: parseEntry(budget.name, baseline) } : {}).faults;
  } catch (error) {
    throw new RunError('ValueError', (error as Error).message);
  }
}

/** @throws RunError where the profile cannot be timed again */
function advised(p: Profile) {
  try {
    return advise(p);
  } catch (error) {
    if (error instanceof NoExperiment) throw new RunError('NoExperiment', error.message);
    throw error;
  }
}
