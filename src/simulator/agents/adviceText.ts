/** Advice and answers to what if as compact text for a language model. Pure. */
import type { AdviceReport } from '../advice/advise';
import { percentText, timeText } from '../analyze/format';
import { modelledChangeText } from '../analyze/tellsApart';
import type { TimedAnswer } from '../formats/answersJson';

/** Lines of one advice beyond these are counted. */
const MOST_LINES = 8;

export function adviceText({ headline, ladder, advice, rejected }: AdviceReport): string {
  return [
    headline.sentence,
    ...ladder.map(({ name, timeNs, meaning }) => `bound: ${name}: ${timeText(timeNs)}: ${meaning}`),
    ...advice.map(adviceRow),
    ...rejected.map(({ title, gainShare, refused }) =>
      refused ? `tried, not possible: ${title}: ${refused}` : `tried, too little: ${title}: ${percentText(gainShare)}`,
    ),
  ].join('\n');
}

function adviceRow({ title, reason, sketch, tried, gainNs, gainShare, lines }: AdviceReport['advice'][number]): string {
  const places = lines.slice(0, MOST_LINES).map(({ file, line }) => `${file}:${line}`);
  const more = lines.length > MOST_LINES ? ` and ${lines.length - MOST_LINES} more` : '';
  return `advice: ${title}: −${percentText(gainShare)} (${timeText(gainNs)}); lines ${places.join(', ')}${more}; why: ${reason} how: ${sketch}; tried: ${tried}`;
}

export function answersText(answers: readonly TimedAnswer[]): string {
  const rows = answers.map(({ what, timeNs, deltaShare, refused }) =>
    refused === undefined ? `${what}: ${timeText(timeNs)}, ${modelledChangeText(deltaShare)}` : what,
  );
  return [`As it is: ${timeText(answers[0].baseNs)}`, ...rows].join('\n');
}
