/** Which lines of a file are hot, where they are now, and what is written beside them. Pure. */
import type { Line, LineChange } from '../../simulator/index';
import { hintText } from './hintText';
import type { LineTracker } from './lineTracker';

export interface HotLine {
  /** Present line number, 1-based. */
  now: number;
  /** The end-of-line hint. */
  text: string;
  line: Line;
}

/**
 * @param changes against the run before, by line
 * @param threshold smallest share of the total time, 0..1; a line without any of it is never hot
 * @returns in the order of the file
 */
export function hotLines(
  lines: Iterable<Line>,
  changes: ReadonlyMap<number, LineChange>,
  tracker: LineTracker,
  threshold: number,
  lineCount: number,
): HotLine[] {
  const found: HotLine[] = [];
  for (const line of lines) {
    const now = tracker.current(line.line);
    if (line.timeNs <= 0 || line.share < threshold || now === undefined || now > lineCount) continue;
    found.push({ now, text: hintText(line, changes.get(line.line)), line });
  }
  return found.sort((a, b) => a.now - b.now);
}

/** The hot line after (or before) this one, around the end of the file. */
export function neighbour(lines: readonly HotLine[], from: number, step: 1 | -1): HotLine | undefined {
  const ahead = step === 1 ? lines.find(line => line.now > from) : lines.findLast(line => line.now < from);
  return ahead ?? lines.at(step === 1 ? 0 : -1);
}
