/**
 * A Python statement that goes over several lines, as one: read from its first line up to the line that closes its brackets. No parser:
 * the text may be anything, and only brackets, strings, comments and backslashes matter here.
 */

export interface Statement {
  /** On one line, without comments. The line as it is, trimmed, where it is a statement's only one. */
  text: string;
  /** 1-based. */
  endLine: number;
}

/** Longer ones are cut off: whatever opens a bracket may never close it. */
const MOST_LINES = 40;
const MOST_CHARACTERS = 600;

/** @param lines of the file @param line the first of the statement, 1-based */
export function statementAt(lines: readonly string[], line: number): Statement {
  const first = (lines[line - 1] ?? '').trim();
  let scan = scanLine(first, 0);
  if (!scan.goesOn) return { text: first, endLine: line };
  let text = scan.code;
  const last = Math.min(lines.length, line + MOST_LINES - 1);
  for (let at = line + 1; at <= last; at++) {
    scan = scanLine(lines[at - 1].trim(), scan.depth);
    text = joined(text, scan.code);
    if (text.length > MOST_CHARACTERS) return { text: `${text.slice(0, MOST_CHARACTERS - 1)}…`, endLine: at };
    if (!scan.goesOn) return { text, endLine: at };
  }
  return { text: `${text} …`, endLine: last };
}

interface Scan {
  /** Without its comment and without a backslash at its end. */
  code: string;
  /** Brackets that are open. */
  depth: number;
  goesOn: boolean;
}

function scanLine(line: string, openBefore: number): Scan {
  let depth = openBefore;
  let at = 0;
  while (at < line.length) {
    const sign = line[at];
    if (sign === '#') return { code: line.slice(0, at).trim(), depth, goesOn: depth > 0 };
    if (sign === '"' || sign === "'") at = stringEnd(line, at);
    else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
    at++;
  }
  const isContinued = line.endsWith('\\');
  return { code: (isContinued ? line.slice(0, -1) : line).trim(), depth, goesOn: depth > 0 || isContinued };
}

/** Index of the quote that ends a string; the line's end where it is not on the line. */
function stringEnd(line: string, from: number): number {
  for (let at = from + 1; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === line[from]) return at;
  }
  return line.length;
}

/** The statement on one line: no spaces inside brackets, no comma before a closing bracket. */
function joined(before: string, after: string): string {
  if (after === '' || before === '') return before + after;
  if (/^[)\]}]/.test(after)) return before.replace(/,$/, '') + after;
  return /[([{]$/.test(before) ? before + after : `${before} ${after}`;
}
