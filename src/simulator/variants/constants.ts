/**
 * Constants of a Python module in its text: `TILE_N = 128` at the top level. A variant gives one of them another value by writing that
 * value in the place of the old one, so that everything that the module makes of it follows, and each line stays where it is.
 */
import { type ParameterValue, SpaceError } from './values';

/** The value of an assignment, from `from` up to `to`. */
export interface ModuleConstant {
  name: string;
  /** 1-based. */
  line: number;
  from: number;
  to: number;
}

const ASSIGNMENT = /([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=(?!=)[ \t]*/y;

/** `else: x = 1` has the form of an annotation. */
const BLOCKS = ['else', 'try', 'finally'];
/** `x = y = 1` */
const CHAINED = /^[A-Za-z_]\w*[ \t]*=(?!=)/;

/** Assignments to one name that stand at the left margin, in their order. */
export function moduleConstants(text: string): ModuleConstant[] {
  const found: ModuleConstant[] = [];
  for (let at = 0, line = 1; at < text.length; ) {
    ASSIGNMENT.lastIndex = at;
    const match = ASSIGNMENT.exec(text);
    const { end, valueEnd } = logicalLine(text, at);
    const isConstant = match && !BLOCKS.includes(match[1]) && !CHAINED.test(text.slice(ASSIGNMENT.lastIndex, valueEnd));
    if (isConstant && ASSIGNMENT.lastIndex < valueEnd) found.push({ name: match[1], line, from: ASSIGNMENT.lastIndex, to: valueEnd });
    line += text.slice(at, end).split('\n').length - 1;
    at = end;
  }
  return found;
}

/** An edit of the text for each of these values, the last in the text first. @throws SpaceError for a name that is not assigned once at the top level */
export function constantEdits(
  text: string,
  values: Readonly<Record<string, ParameterValue>>,
): { from: number; to: number; text: string }[] {
  const all = moduleConstants(text);
  const places = Object.keys(values).map(name => constantNamed(all, name));
  return places
    .sort((a, b) => b.from - a.from)
    .map(({ name, from, to }) => ({ from, to, text: pythonText(values[name], text.slice(from, to)) }));
}

/** The text with these values. @throws SpaceError */
export const withConstants = (text: string, values: Readonly<Record<string, ParameterValue>>): string =>
  constantEdits(text, values).reduce((edited, { from, to, text: value }) => edited.slice(0, from) + value + edited.slice(to), text);

function constantNamed(all: readonly ModuleConstant[], name: string): ModuleConstant {
  const own = all.filter(constant => constant.name === name);
  if (own.length === 1) return own[0];
  if (own.length > 1)
    throw new SpaceError(`${name} is assigned ${own.length} times at the top level: lines ${own.map(({ line }) => line).join(', ')}`);
  const names = [...new Set(all.map(constant => constant.name))];
  throw new SpaceError(`the file assigns no ${name} at its top level; it assigns ${names.join(', ') || 'nothing'}`);
}

/** A word is Python as it is (`nl.float32`), unless a text in quotes stood there. A value of several lines keeps their number. */
function pythonText(value: ParameterValue, before: string): string {
  const lines = '\n'.repeat(before.split('\n').length - 1);
  const written = valueText(value, /^["']/.test(before));
  return lines === '' ? written : `(${written}${lines})`;
}

function valueText(value: ParameterValue, isQuoted: boolean): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' && isQuoted ? JSON.stringify(value) : String(value);
}

/** The end of the statement that begins at `at`, with its newline, and the end of its code, without a comment. */
function logicalLine(text: string, start: number): { end: number; valueEnd: number } {
  let depth = 0;
  let code = start;
  /** After a semicolon. */
  let isOver = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === '#') {
      const newline = text.indexOf('\n', at);
      at = (newline < 0 ? text.length : newline) - 1;
    } else if (sign === '"' || sign === "'") {
      at = stringEnd(text, at);
      if (!isOver) code = at + 1;
    } else if (sign === '\\') at++;
    else if (sign === '\n') {
      if (depth === 0) return { end: at + 1, valueEnd: code };
    } else {
      if ('([{'.includes(sign)) depth++;
      else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
      isOver ||= sign === ';' && depth === 0;
      if (sign.trim() !== '' && !isOver) code = at + 1;
    }
  }
  return { end: text.length, valueEnd: code };
}

/** Position of the quote that closes the string; of the line's end or the text's, where none does. */
function stringEnd(text: string, start: number): number {
  const sign = text[start];
  const quote = text.startsWith(sign.repeat(3), start) ? sign.repeat(3) : sign;
  for (let at = start + quote.length; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return at + quote.length - 1;
    else if (text[at] === '\n' && quote.length === 1) return at - 1;
  }
  return text.length - 1;
}
