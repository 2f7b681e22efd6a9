/** `whatif`: a kernel timed again with one thing changed in the model, and the causal profile of its hot lines. */
import {
  answerJson,
  type CausalLine,
  causalIn,
  decodeNkiprof,
  modelledChangeText,
  namedAnswerJson,
  type ProfileSource,
  percentText,
  type Question,
  SWITCHES,
  smallMarkNote,
  TARGETS,
  type TimedAnswer,
  timeText,
} from '../simulator/index';
import { alignedTable } from './alignedTable';
import type { CliCommand, CliContext } from './context';
import { EXIT, UsageError } from './errors';
import { jsonText } from './jsonText';
import { fit } from './linesTable';
import { type Parsed, readOptions, text } from './options';
import { PROFILE_HELP, PROFILE_OPTIONS, profileToRead } from './profileToRead';
import { Reading, readIn } from './reading';

export const whatif: CliCommand = {
  summary: 'times with one thing changed: a line, an engine, HBM, …',
  help: `nki-scope whatif FILE.py|-s FILE.nkiprof [--line FILE:N | --resource NAME] [--speed K|inf] [--json]
nki-scope whatif FILE.py|-s FILE.nkiprof --line FILE:N --engine NAME [--json]
nki-scope whatif FILE.py|-s FILE.nkiprof --causal [--json]
nki-scope whatif FILE.py --on TARGET,… [--json]

Times the same instructions again with something changed in the model. The source stays as it is. Without a question, each
engine, queue and memory twice as fast, each switch below, and the hottest lines on other engines, those that gain most first.

${PROFILE_HELP}
  --line FILE:N             what if line N of FILE were faster
  --engine NAME             with --line: what if its instructions ran on this engine, at what they cost there
  --resource NAME           an engine (Tensor, Vector, Scalar, GpSimd, Sync), a DMA queue by its name, DMA, HBM; or a switch:
${Object.entries(SWITCHES)
  .map(([name, { what }]) => `                            ${name.padEnd(14)}${what}`)
  .join('\n')}
  --speed K|inf             how many times as fast (2); inf: free
  --causal                  for each of the 20 hottest lines: what the kernel gains when the line saves 25, 50, 75, 100 % of its time
  --on TARGET,…             recorded and compiled again for other targets: ${TARGETS.join(', ')}
  --json                    {base_ns, time_ns, delta_percent}, null where it is not possible; with --causal [{file, line, text, curve: [{speed, time_ns, delta_percent}]}];
                            with --on [{what, base_ns, time_ns, delta_percent}]

  nki-scope whatif softmax.py --resource Vector --speed 2
  nki-scope whatif -s softmax.nkiprof --causal
`,
  async run(argv, context) {
    const parsed = readOptions('whatif', argv, {
      ...PROFILE_OPTIONS,
      line: { type: 'string' },
      resource: { type: 'string' },
      speed: { type: 'string' },
      engine: { type: 'string' },
      causal: { type: 'boolean' },
      on: { type: 'string' },
      json: { type: 'boolean' },
    });
    const question = questionOf(parsed);
    const causal = parsed.values.causal === true;
    if (causal && question) throw new UsageError('whatif: --causal asks for all hot lines: leave out --line, --resource and --speed');
    const targets = targetsOf(parsed);
    const source = await profileToRead('whatif', parsed, context);
    const json = parsed.values.json === true;
    if (targets) {
      const answers = await onTargets(targets, source, parsed, context);
      context.terminal.out(json ? jsonText(answers.map(namedAnswerJson)) : answersText(answers));
      return EXIT.done;
    }
    if (causal) {
      const found = await causalIn(new Reading(context), source);
      context.terminal.out(json ? jsonText(found.map(causalJson)) : causalText(found));
      return EXIT.done;
    }
    const answers = await readIn(context, 'whatIf', { sources: [source], questions: question && [question] });
    context.terminal.out(json ? jsonText(question ? answerJson(answers[0]) : answers.map(namedAnswerJson)) : answersText(answers));
    return EXIT.done;
  },
};

/** @throws UsageError */
function targetsOf({ values, positionals }: Parsed): string[] | undefined {
  const named = text(values, 'on');
  if (named === undefined) return undefined;
  if (positionals.length === 0) throw new UsageError('whatif: --on needs FILE.py: a profile does not say what another target would do');
  if (values.causal === true || text(values, 'line') !== undefined || text(values, 'resource') !== undefined)
    throw new UsageError('whatif: ask for --on, or for a line or a resource');
  const targets = named.split(',');
  const unknown = targets.find(target => !TARGETS.includes(target));
  if (unknown !== undefined) throw new UsageError(`--on ${unknown}: there are ${TARGETS.join(', ')}`);
  return targets;
}

/** The kernel run again for each. @throws InputError where it does not run on one of them */
async function onTargets(targets: readonly string[], base: ProfileSource, parsed: Parsed, context: CliContext): Promise<TimedAnswer[]> {
  const timeOf = (source: ProfileSource) => decodeNkiprof((source as { bytes: Uint8Array }).bytes).totalTimeNs;
  const baseNs = timeOf(base);
  const answers: TimedAnswer[] = [];
  for (const target of targets) {
    const timeNs = timeOf(await profileToRead('whatif', { ...parsed, values: { ...parsed.values, target } }, context));
    answers.push({ what: `compiled for ${target}`, baseNs, timeNs, deltaShare: timeNs / baseNs - 1 });
  }
  return answers;
}

/** @throws UsageError */
function questionOf({ values }: Parsed): Question | undefined {
  const [line, resource, speed] = [text(values, 'line'), text(values, 'resource'), speedOf(text(values, 'speed'))];
  const engine = text(values, 'engine');
  if (engine !== undefined && (line === undefined || speed !== undefined))
    throw new UsageError(
      'whatif: --engine goes with --line FILE:N, and without --speed: on that engine the line costs what it costs there',
    );
  if (line !== undefined && resource !== undefined) throw new UsageError('whatif: ask for --line or for --resource, one at a time');
  if (line === undefined && resource === undefined) {
    if (speed !== undefined) throw new UsageError('whatif: --speed of what? Add --line FILE:N or --resource NAME');
    return undefined;
  }
  if (resource !== undefined) return { resource, speed: speed ?? 2 };
  const [, file, number] = /^(.+):(\d+)$/.exec(line!) ?? [];
  if (file === undefined) throw new UsageError(`--line ${line}: write it as --line kernel.py:12`);
  const of = { file, line: Number(number) };
  return engine === undefined ? { line: of, speed: speed ?? 2 } : { line: of, engine };
}

/** @throws UsageError */
function speedOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const speed = given === 'inf' ? Infinity : Number(given);
  if (!(speed > 0) || given.trim() === '') throw new UsageError(`--speed ${given}: a number above 0, or inf`);
  return speed;
}

function answersText(answers: readonly TimedAnswer[]): string {
  const isPossible = ({ refused }: TimedAnswer) => refused === undefined;
  const rows = answers.filter(isPossible).map(({ what, timeNs, deltaShare }) => [what, timeText(timeNs), modelledChangeText(deltaShare)]);
  const refused = answers.filter(answer => !isPossible(answer)).map(({ what }) => `${what}\n`);
  const table = alignedTable([['what if', 'time', 'change'], ...rows], 1);
  const note = smallMarkNote(answers.filter(isPossible).map(({ deltaShare }) => deltaShare));
  const [{ baseNs, recordedNs }] = answers;
  const base =
    recordedNs === undefined
      ? `As it is: ${timeText(baseNs)}`
      : `The recorded body, timed by the model: ${timeText(baseNs)} (recorded: ${timeText(recordedNs)})`;
  return `${base}\n\n${table}${noteLine(note)}${refused.length > 0 ? `\n${refused.join('')}` : ''}`;
}

const noteLine = (note: string) => (note ? `${note}\n` : '');

/** JSON knows no infinity: a line that is free has the speed \`inf\`. */
const causalJson = ({ file, line, text: source, curve }: CausalLine) => ({
  file,
  line,
  text: source,
  curve: curve.map(({ speed, timeNs, deltaShare }) => ({
    speed: speed === Infinity ? 'inf' : speed,
    time_ns: timeNs,
    delta_percent: 100 * deltaShare,
  })),
});

const SOURCE_COLUMNS = 46;

function causalText(found: readonly CausalLine[]): string {
  if (found.length === 0) return '(no line has any time)\n';
  const saved = found[0].curve.slice(1).map(({ savedShare }) => (savedShare === 1 ? 'free' : `−${percentText(savedShare)}`));
  const rows = found.map(({ line, text: source, curve }) => [
    String(line),
    fit(source, SOURCE_COLUMNS),
    ...curve.slice(1).map(({ deltaShare }) => modelledChangeText(deltaShare)),
  ]);
  const note = smallMarkNote(found.flatMap(({ curve }) => curve.slice(1).map(({ deltaShare }) => deltaShare)));
  const table = alignedTable([['line', 'source', ...saved], ...rows], 2);
  return `What the kernel gains when a line saves so much of its own time\n\n${table}${noteLine(note)}`;
}
