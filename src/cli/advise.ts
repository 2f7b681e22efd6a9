/** `advise`: what to change in a kernel, each change tried in the model, and how good the kernel could be. */
import path from 'node:path';
import { type Advice, type AdviceReport, type AdvisedLine, percentText, timeText } from '../simulator/index';
import { alignedTable } from './alignedTable';
import type { CliCommand } from './context';
import { EXIT, UsageError } from './errors';
import { jsonText } from './jsonText';
import { readOptions, text } from './options';
import { PROFILE_HELP, PROFILE_OPTIONS, profileToRead } from './profileToRead';
import { readIn } from './reading';
import { tryEdit } from './tryEdit';

export const advise: CliCommand = {
  summary: 'what to change, each change tried, with what it gains',
  help: `nki-scope advise FILE.py|-s FILE.nkiprof [--try RULE [--write]] [--json]

Looks for changes that performance guides propose, tries each in the model, and prints those that gain at least 1 % of the
whole time, most first; then what was tried and gained less. Above them stands what bounds the kernel's time. The source stays as it is,
unless --write is given.

${PROFILE_HELP}
  --try RULE                where an advice is one argument of some calls: make the edit in a copy of FILE.py's text, run both, and
                            print the lines, the times, and whether the values are the same
  --write                   with --try: write the edit to the file after that
  --json                    {headline, bound, ladder: [{name, time_ns}], advice: [{rule, title, file, line, gain_ns, gain_percent, tried, edit}], rejected}

  nki-scope advise softmax.py
  nki-scope advise softmax.py --try hardware-descriptors
`,
  async run(argv, context) {
    const parsed = readOptions('advise', argv, {
      ...PROFILE_OPTIONS,
      try: { type: 'string' },
      write: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const wanted = text(parsed.values, 'try');
    if (wanted !== undefined && parsed.positionals.length === 0) throw new UsageError('advise: --try needs FILE.py: its text is edited');
    if (wanted === undefined && parsed.values.write === true) throw new UsageError('advise: --write goes with --try RULE');
    const source = await profileToRead('advise', parsed, context);
    const report = await readIn(context, 'advise', { sources: [source] });
    if (wanted !== undefined) return tryEdit(wanted, report, source, parsed, context);
    context.terminal.out(parsed.values.json === true ? jsonText(adviceJson(report)) : adviceText(report));
    return EXIT.done;
  },
};

export function adviceJson({ headline, ladder, advice, rejected }: AdviceReport): Record<string, unknown> {
  return {
    headline: headline.sentence,
    bound: headline.bound,
    reached_percent: 100 * headline.reachedShare,
    ladder: ladder.map(({ name, timeNs, meaning, resource }) => ({ name, time_ns: timeNs, meaning, ...(resource && { resource }) })),
    advice: advice.map(one),
    rejected: rejected.map(one),
  };
}

const lineJson = ({ file, line, gainNs }: AdvisedLine) => ({ file, line, gain_ns: gainNs });

const one = ({ rule, title, file, line, reason, sketch, tried, source, gainNs, gainShare, lines, ways, edits }: Advice) => ({
  rule,
  title,
  file,
  line,
  reason,
  sketch,
  gain_ns: gainNs,
  gain_percent: 100 * gainShare,
  tried,
  source,
  lines: lines.map(lineJson),
  /** Where there are several: each way to do it, what it gains most first. */
  ways: ways.map(way => ({ name: way.name, gain_ns: way.gainNs, gain_percent: 100 * way.gainShare, lines: way.lines.map(lineJson) })),
  /** Where arguments of calls do it: offsets in the file that ran, in characters. */
  edit: edits.length > 0 ? edits : null,
});

function adviceText({ headline, ladder, advice, rejected }: AdviceReport): string {
  const rungs = ladder.map(({ name, timeNs, meaning }) => [name, timeText(timeNs), meaning]);
  return [
    `${headline.sentence}\n`,
    'How good could it be',
    // The meaning is the last column: to the left, so that it needs no width.
    alignedTable(
      rungs.map(([name, time, meaning]) => [name, time.padStart(8), meaning]),
      3,
    ),
    ...(advice.length === 0 ? ['Nothing that was tried gains 1 % or more.\n'] : advice.map(adviceBlock)),
    ...(rejected.length > 0
      ? [`Tried, and less than 1 %: ${rejected.map(({ title, gainShare }) => `${title} (${percentText(gainShare)})`).join('; ')}.\n`]
      : []),
  ].join('\n');
}

const MOST_LINES = 6;

function adviceBlock({ title, reason, sketch, tried, gainNs, gainShare, lines, ways }: Advice): string {
  const alone = (gainNs: number) => (lines.length > 1 ? ` (${timeText(Math.max(0, gainNs))} alone)` : '');
  const places = lines.slice(0, MOST_LINES).map(({ file, line, gainNs: own }) => `${path.basename(file)}:${line}${alone(own)}`);
  const more = lines.length > MOST_LINES ? ` and ${lines.length - MOST_LINES} more` : '';
  return [
    `−${percentText(gainShare)} (${timeText(gainNs)})  ${title}`,
    `    where   ${places.join(', ')}${more}`,
    `    why     ${reason}`,
    `    how     ${sketch}`,
    ...(ways.length > 1 ? [`    ways    ${ways.map(way => `−${percentText(way.gainShare)} ${way.name}`).join('; ')}`] : []),
    `    tried   ${tried}`,
    '',
  ].join('\n');
}
