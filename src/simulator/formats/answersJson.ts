/**
 * Answers about a profile, in the keys that scripts read: lines, warnings, advice, what if, comparisons. The command line, the tools of agents and
 * the Python package share them.
 */
import type { Advice, AdviceReport, AdvisedLine } from '../advice/advise';
import { type Comparison, unpaired } from '../analyze/compare/compare';
import type { Line } from '../analyze/lines';
import type { NameParts } from '../analyze/runNames';
import type { Warning } from '../analyze/warnings';
import type { Answer } from '../experiments/whatIf';

export function lineJson(l: Line): Record<string, unknown> {
  return {
    file: l.file,
    line: l.line,
    text: l.text,
    instructions: l.instructions,
    time_ns: l.timeNs,
    share: l.share,
    engines: l.engines,
    stalls: l.stalls,
    dma_bytes: l.dmaBytes,
  };
}

export const warningJson = ({ title, message, advice, position }: Warning) => ({
  title,
  message,
  advice,
  file: position?.file ?? null,
  line: position?.line ?? null,
});

export function adviceJson({ headline, ladder, advice, rejected, noAdvice }: AdviceReport): Record<string, unknown> {
  return {
    headline: headline.sentence,
    bound: headline.bound,
    reached_percent: 100 * headline.reachedShare,
    ladder: ladder.map(({ name, timeNs, meaning, resource }) => ({ name, time_ns: timeNs, meaning, ...(resource && { resource }) })),
    advice: advice.map(one),
    rejected: rejected.map(one),
    /** Why no advice was looked for; null: it was. */
    no_advice: noAdvice ?? null,
  };
}

const advisedLineJson = ({ file, line, gainNs }: AdvisedLine) => ({ file, line, gain_ns: gainNs });

const one = ({
  rule,
  title,
  file,
  line,
  reason,
  sketch,
  tried,
  source,
  gainNs,
  gainShare,
  lines,
  ways,
  edits,
  values,
  refused,
}: Advice) => ({
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
  lines: lines.map(advisedLineJson),
  /** What a narrower dtype does to this run's values; null: that was not tried. */
  values: values
    ? { largest_error_percent: 100 * values.largestError, output: values.output, not_finite: values.notFinite, allow: values.allow }
    : null,
  /** Why it cannot be done; null: it can. */
  refused: refused ?? null,
  /** Where there are several: each way to do it, what it gains most first. */
  ways: ways.map(way => ({
    name: way.name,
    gain_ns: way.gainNs,
    gain_percent: 100 * way.gainShare,
    lines: way.lines.map(advisedLineJson),
  })),
  /** Where arguments of calls do it: offsets in the file that ran, in characters. */
  edit: edits.length > 0 ? edits : null,
});

export type TimedAnswer = Omit<Answer, 'question'>;

export const answerJson = ({ baseNs, timeNs, deltaShare, refused, recordedNs }: Omit<TimedAnswer, 'what'>) => ({
  base_ns: baseNs,
  time_ns: refused === undefined ? timeNs : null,
  delta_percent: refused === undefined ? 100 * deltaShare : null,
  ...(refused !== undefined && { refused }),
  ...(recordedNs !== undefined && { recorded_ns: recordedNs }),
});
export const namedAnswerJson = ({ what, ...answer }: TimedAnswer) => ({ what, ...answerJson(answer) });

export function comparisonJson(comparison: Comparison): Record<string, unknown> {
  const { names, aTotalNs, bTotalNs, deltaShare, isTooSmall, lines } = comparison;
  return {
    total: { a_ns: aTotalNs, b_ns: bTotalNs, delta_percent: deltaShare * 100 },
    too_small_to_tell: isTooSmall,
    a: nameJson(names.a),
    b: nameJson(names.b),
    unpaired: unpaired(comparison),
    lines: lines.map(({ a, b, deltaNs, verdict }) => ({
      verdict,
      delta_ns: deltaNs,
      a: a ? lineJson(a) : null,
      b: b ? lineJson(b) : null,
    })),
  };
}

const nameJson = ({ file, kernel, inputs, target }: NameParts) => ({ file: file ?? null, kernel, inputs, target });
