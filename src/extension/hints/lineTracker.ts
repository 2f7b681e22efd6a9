/**
 * Where the lines of a run are now, while their file is being edited. A line that was itself changed keeps its number and
 * counts as edited; a line that was deleted is gone.
 */

import { matchLines } from '../../simulator/index';

/** One replaced stretch of text; lines 1-based, as before the change. */
export interface TextChange {
  startLine: number;
  /** true: the change starts at the beginning of `startLine`. */
  atLineStart: boolean;
  endLine: number;
  /** true: the change ends at the beginning of `endLine`. */
  endsAtLineStart: boolean;
  /** Line breaks in the new text. */
  addedLines: number;
}

export class LineTracker {
  /** now[i]: where line `i + 1` of the run is, or 0 when it was deleted. */
  private readonly now: Int32Array;

  /** @param now where each line is: 1-based, 0 when it is gone */
  private constructor(now: Int32Array) {
    this.now = now;
  }

  /** Every line is where it was. */
  static fresh(lineCount: number): LineTracker {
    return new LineTracker(Int32Array.from({ length: lineCount }, (_, i) => i + 1));
  }

  /** From one text to another, when the edits between them are not known. */
  static between(before: string[], after: string[]): LineTracker {
    const shorter = Math.min(before.length, after.length);
    let head = 0;
    while (head < shorter && before[head] === after[head]) head++;
    let tail = 0;
    while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
    const now = new Int32Array(before.length);
    for (let i = 0; i < head; i++) now[i] = i + 1;
    for (let i = 0; i < tail; i++) now[before.length - 1 - i] = after.length - i;
    const code = (lines: string[]) => lines.slice(head, lines.length - tail).map(text => ({ function: '', text: text.trim() }));
    for (const { a, b } of matchLines(code(before), code(after))) if (a >= 0 && b >= 0) now[head + a] = head + b + 1;
    return new LineTracker(now);
  }

  /** Present line of a line of the run; undefined when it was deleted. */
  current(line: number): number | undefined {
    return this.now[line - 1] || undefined;
  }

  /** Line of the run that is now at `line`. */
  original(line: number): number | undefined {
    const index = this.now.indexOf(line);
    return index < 0 ? undefined : index + 1;
  }

  apply(change: TextChange): void {
    const shift = change.addedLines - (change.endLine - change.startLine);
    for (let i = 0; i < this.now.length; i++) if (this.now[i] > 0) this.now[i] = moved(this.now[i], change, shift);
  }
}

/** @returns the line's new place, or 0 when nothing is left of it */
function moved(line: number, change: TextChange, shift: number): number {
  const { startLine, atLineStart, endLine, endsAtLineStart, addedLines } = change;
  if (line < startLine) return line;
  if (line > endLine) return line + shift;
  // Text put, or lines taken, in front of a line move it; its own text is as it was.
  if (line === endLine && endsAtLineStart && (atLineStart || (line > startLine && line + shift > startLine))) return line + shift;
  const offset = line - startLine;
  // The head of the first line stays. Whole lines replaced by as many are taken for edits of the same lines.
  if (offset === 0 && !(atLineStart && endsAtLineStart)) return line;
  return offset < addedLines + (endsAtLineStart ? 0 : 1) ? line : 0;
}
