/** `advise`: what to change in a kernel, each change tried in the model, and how good the kernel could be. */
import path from 'node:path';
import {
  type Advice,
  type AdviceReport,
  adviceByRuns,
  adviceJson,
  type CaptureRequest,
  decodeNkiprof,
  type ProfileSource,
  percentText,
  SimulatorClient,
  signedPercentText,
  timeText,
  valuesText,
} from '../simulator/index';
import { alignedTable } from './alignedTable';
import { captureRequest } from './captureRequest';
import { sayIfOpen } from './confinement';
import type { CliCommand, CliContext } from './context';
import { EXIT, UsageError } from './errors';
import { jsonText } from './jsonText';
import { type Parsed, readOptions, text } from './options';
import { PROFILE_HELP, PROFILE_OPTIONS, profileToRead } from './profileToRead';
import { readIn } from './reading';
import { tryEdit } from './tryEdit';

export const advise: CliCommand = {
  summary: 'what to change, each change tried, with what it gains',
  help: `nki-scope advise FILE.py|-s FILE.nkiprof [--constants] [--try RULE [--write]] [--json]

Looks for changes that performance guides propose, tries each in the model, and prints those that gain at least 1 % of the
whole time, most first; then what was tried and gained less. Above them stands what bounds the kernel's time. The source stays as it is,
unless --write is given. A narrower dtype is tried on the values of FILE.py, too, where they cost little: --numerics on tries it in any
case, --numerics off never.

${PROFILE_HELP}
  --constants               also half and twice of each whole number that FILE.py assigns to a name at its top level, or that is a default
                            of a parameter of --kernel: each a run
  --try RULE                where an advice is one argument of some calls: make the edit in a copy of FILE.py's text, run both, and
                            print the lines, the times, and whether the values are the same
  --write                   with --try: write the edit to the file after that
  --json                    {headline, bound, ladder: [{name, time_ns}], advice: [{rule, title, file, line, gain_ns, gain_percent, tried, edit, refused}], rejected,
                            no_advice}

  nki-scope advise softmax.py
  nki-scope advise softmax.py --try hardware-descriptors
`,
  async run(argv, context) {
    const parsed = readOptions('advise', argv, {
      ...PROFILE_OPTIONS,
      constants: { type: 'boolean' },
      try: { type: 'string' },
      write: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const wanted = text(parsed.values, 'try');
    if (wanted !== undefined && parsed.positionals.length === 0) throw new UsageError('advise: --try needs FILE.py: its text is edited');
    if (wanted === undefined && parsed.values.write === true) throw new UsageError('advise: --write goes with --try RULE');
    if (parsed.values.constants === true && parsed.positionals.length === 0)
      throw new UsageError('advise: --constants needs FILE.py: it runs again with other values');
    const source = await profileToRead('advise', parsed, context);
    const timed = await readIn(context, 'advise', { sources: [source] });
    const report = parsed.positionals.length > 0 ? await withRuns(timed, source, parsed, context) : timed;
    if (wanted !== undefined) return tryEdit(wanted, report, source, parsed, context);
    context.terminal.out(parsed.values.json === true ? jsonText(adviceJson(report)) : adviceText(report));
    return EXIT.done;
  },
};

/** What takes another run of the file to try: narrower dtypes on its values, and other constants. */
async function withRuns(report: AdviceReport, source: ProfileSource, parsed: Parsed, { dist, signal, terminal }: CliContext) {
  const profile = decodeNkiprof((source as { bytes: Uint8Array }).bytes);
  const call = { call: profile.rerun?.call ?? 0 };
  const client = new SimulatorClient({ dist, keepSpare: false, onSandbox: sayIfOpen(terminal.log) });
  try {
    const capture = (request: CaptureRequest) => client.capture(request, {}, signal);
    // Zeros lose no digits.
    const request = { fill: 'random' as const, numerics: 'auto' as const, ...defined(captureRequest(parsed)) };
    return await adviceByRuns(capture, { profile, request, call, constants: parsed.values.constants === true }, report);
  } finally {
    client.dispose();
  }
}

/** Without the options that were not given, so that they do not hide defaults. */
const defined = (request: CaptureRequest): CaptureRequest =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as unknown as CaptureRequest;

function adviceText({ headline, ladder, advice, rejected, noAdvice }: AdviceReport): string {
  const rungs = ladder.map(({ name, timeNs, meaning }) => [name, timeText(timeNs), meaning]);
  return [
    `${headline.sentence}\n`,
    'How good could it be',
    // The meaning is the last column: to the left, so that it needs no width.
    alignedTable(
      rungs.map(([name, time, meaning]) => [name, time.padStart(8), meaning]),
      3,
    ),
    ...(noAdvice ? [`${noAdvice}\n`] : advice.length === 0 ? ['Nothing that was tried gains 1 % or more.\n'] : advice.map(adviceBlock)),
    ...(rejected.length > 0 ? [`Tried, and of no use: ${rejected.map(rejectedText).join('; ')}.\n`] : []),
  ].join('\n');
}

const rejectedText = ({ title, gainShare, values, refused }: Advice) =>
  refused
    ? `${title} (not possible: ${refused})`
    : `${title} (${percentText(gainShare)}${values && !values.allow ? `, but ${valuesText(values)}` : ''})`;

const VALUES_NOT_TRIED = 'not tried: name FILE.py with --numerics on, and inputs that are not zero';

const MOST_LINES = 6;

function adviceBlock({ title, reason, sketch, tried, gainNs, gainShare, lines, ways, narrowsTo, values }: Advice): string {
  const alone = (gainNs: number) => (lines.length > 1 ? ` (${timeText(Math.max(0, gainNs))} alone)` : '');
  const places = lines.slice(0, MOST_LINES).map(({ file, line, gainNs: own }) => `${path.basename(file)}:${line}${alone(own)}`);
  const more = lines.length > MOST_LINES ? ` and ${lines.length - MOST_LINES} more` : '';
  return [
    `−${percentText(gainShare)} (${timeText(gainNs)})  ${title}`,
    `    where   ${places.join(', ')}${more}`,
    `    why     ${reason}`,
    `    how     ${sketch}`,
    ...(ways.length > 1 ? [`    ways    ${ways.map(way => `${way.name}: ${signedPercentText(-way.gainShare)}`).join('; ')}`] : []),
    `    tried   ${tried}`,
    ...(narrowsTo ? [`    values  ${values ? valuesText(values) : VALUES_NOT_TRIED}`] : []),
    '',
  ].join('\n');
}
