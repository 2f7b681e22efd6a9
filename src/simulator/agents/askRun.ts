/** `advise`, `whatif` and `compare`: questions about runs that are kept. Nothing of the user is run. */
import type { AdviceReport } from '../advice/advise';
import type { Question } from '../experiments/whatIf';
import { adviceJson, comparisonJson, namedAnswerJson } from '../formats/answersJson';
import { comparisonMarkdown } from '../formats/comparisonMarkdown';
import type { ReadJobs } from '../service/reading/messages';
import { ReadingError } from '../service/reading/readingError';
import { adviceText, answersText } from './adviceText';
import { knownRun, sourceOf } from './knownRun';
import type { ToolAnswer, ToolHost, WhichRun } from './tool';
import { ToolError } from './toolError';

export async function adviceOfRun(which: WhichRun, host: ToolHost, signal: AbortSignal): Promise<ToolAnswer> {
  const report: AdviceReport = await ask(host, 'advise', { sources: [sourceOf(knownRun(host, which))] }, signal);
  return { data: adviceJson(report), text: adviceText(report) };
}

interface AskedWhatIf extends WhichRun {
  line?: number;
  line_file?: string;
  resource?: string;
  /** Absent: free. */
  speed?: number;
}

export async function whatIfOfRun(asked: AskedWhatIf, host: ToolHost, signal: AbortSignal): Promise<ToolAnswer> {
  const run = knownRun(host, asked);
  const answers = await ask(host, 'whatIf', { sources: [sourceOf(run)], questions: questionsOf(asked, host, run.profile.files) }, signal);
  return { data: { answers: answers.map(namedAnswerJson) }, text: answersText(answers) };
}

/** Undefined: the usual ones. @throws ToolError where it is not said which file a line is of */
function questionsOf(
  { file, line, line_file, resource, speed = Infinity }: AskedWhatIf,
  host: ToolHost,
  files: readonly { path: string }[],
): Question[] | undefined {
  if (line !== undefined && resource !== undefined)
    throw new ToolError('WrongInput', 'a line and a resource', { next: 'Ask about one of them at a time.' });
  if (resource !== undefined) return [{ resource, speed }];
  if (line === undefined) return undefined;
  const named = line_file ?? file;
  if (named === undefined && files.length > 1)
    throw new ToolError('WrongInput', `line ${line} of which file?`, {
      next: `Give line_file: ${files.map(({ path }) => path).join(' or ')}.`,
    });
  return [{ line: { file: named === undefined ? files[0].path : host.pathOf(named), line }, speed }];
}

export async function compareRuns(
  { before, after }: { before: string; after: string },
  host: ToolHost,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const sources = [before, after].map(run => sourceOf(knownRun(host, { run })));
  const comparison = await ask(host, 'compare', { sources }, signal);
  const { lines, ...totals } = comparisonJson(comparison);
  const changed = (lines as { verdict: string }[]).filter(({ verdict }) => verdict !== 'same');
  return { data: { ...totals, lines: changed }, text: comparisonMarkdown(comparison, { before, after }) };
}

/** @throws ToolError with what the reading worker says of the profile */
async function ask<K extends keyof ReadJobs>(
  { reading }: ToolHost,
  job: K,
  given: Parameters<ReadJobs[K]>[0],
  signal: AbortSignal,
): Promise<ReturnType<ReadJobs[K]>> {
  try {
    return await reading.run(job, given, signal);
  } catch (error) {
    if (error instanceof ReadingError) throw new ToolError(error.problem === 'cancelled' ? 'Cancelled' : 'NoAnswer', error.message);
    throw error;
  }
}
