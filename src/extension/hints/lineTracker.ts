/**
 * Where the lines of a run are now, while their file is being edited. A line that was itself changed keeps its number and
 * counts as edited; a line that was deleted is gone.
 */

/** One replaced stretch of text; lines 1-based, as before the change. */
export interface LineChange {
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
  private now: Int32Array;

  constructor(lineCount: number) {
    this.now = Int32Array.from({ length: lineCount }, (_, i) => i + 1);
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

  apply(change: LineChange): void {
    const shift = change.addedLines - (change.endLine - change.startLine);
    for (let i = 0; i < this.now.length; i++) if (this.now[i] > 0) this.now[i] = moved(this.now[i], change, shift);
  }
}

/** @returns the line's new place, or 0 when nothing is left of it */
function moved(line: number, change: LineChange, shift: number): number {
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
