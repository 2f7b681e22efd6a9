/** What the viewer's tab Warnings says of a profile, for exports: checks, and what costs time. One list for all formats. */
import { groupedChecks, groupedMessage } from '../analyze/groupedChecks';
import { type Warning, warnings } from '../analyze/warnings';
import type { Check, Profile } from '../profile/profile';

/** Category of what costs time; checks have their severity. */
export const PERFORMANCE = 'performance';

export interface Said {
  category: Check['severity'] | typeof PERFORMANCE;
  /** One sentence or more, with what can be done about it. */
  message: string;
  /** Empty and 0 where it is about no line. */
  file: string;
  line: number;
}

export const said = (p: Profile): Said[] => [
  ...groupedChecks(p.checks).map(group => {
    const { severity, file, line } = group.check;
    return { category: severity, message: groupedMessage(group), file, line };
  }),
  ...warnings(p).map(warningSaid),
];

export function warningSaid({ title, message, advice, position, lines }: Warning): Said {
  const others = lines.slice(1).map(({ line }) => line);
  const more = others.length > 0 ? ` Also line${others.length === 1 ? '' : 's'} ${others.join(', ')}.` : '';
  return { category: PERFORMANCE, message: `${title}: ${message} ${advice}${more}`, file: position?.file ?? '', line: position?.line ?? 0 };
}

/** `warning: kernel.py:12: …`. */
export function saidText({ category, message, file, line }: Said): string {
  const where = line > 0 ? `${file.split(/[\\/]/).pop()}:${line}: ` : '';
  return `${category}: ${where}${message}`;
}
