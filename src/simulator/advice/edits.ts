/**
 * Edits that carry out an advice where one argument of one call does it. They are found in the text that ran, by brackets, strings and
 * comments; a line that is not understood has none. Whether the edit gains what it should, only a run tells.
 */

/** An argument that a call should have. */
export interface ArgumentEdit {
  /** The calls that take it, by their last names: one of them must be the only one of its kind on the line. */
  calls: readonly string[];
  keyword: string;
  /** Attribute of the same module as the called function: `dge_mode.hwdge`. */
  value: string;
}

/** Replaces the characters of a file from `from` up to `to` by `text`. */
export interface TextEdit {
  file: string;
  /** 1-based line of the call. */
  line: number;
  /** Offsets in characters. */
  from: number;
  to: number;
  text: string;
}

/** Null: there is no such call on the line, or the argument is that already. @param line 1-based */
export function argumentEdit(source: string, line: number, { calls, keyword, value }: ArgumentEdit): Omit<TextEdit, 'file'> | null {
  const start = lineStart(source, line);
  const end = source.indexOf('\n', start);
  const text = source.slice(start, end < 0 ? source.length : end).replace(/#.*/, '');
  const found = [...text.matchAll(/([A-Za-z_][\w.]*)\.(\w+)\s*\(/g)].filter(match => calls.includes(match[2]));
  if (found.length !== 1) return null;
  const given = argumentsOf(source, start + found[0].index + found[0][0].length);
  if (!given || given.some(({ text: own }) => own.startsWith('*'))) return null;
  const wanted = `${found[0][1]}.${value}`;
  const known = given.find(argument => new RegExp(`^${keyword}\\s*=[^=]`).test(argument.text));
  if (known) {
    const from = known.from + known.text.indexOf('=') + 1;
    const to = known.from + known.text.length;
    return source.slice(from, to).trim() === wanted ? null : { line, from, to, text: wanted };
  }
  const last = given.at(-1);
  if (!last) return null;
  const at = last.from + last.text.length;
  return { line, from: at, to: at, text: `, ${keyword}=${wanted}` };
}

function lineStart(source: string, line: number): number {
  let start = 0;
  for (let k = 1; k < line; k++) start = source.indexOf('\n', start) + 1 || source.length;
  return start;
}

/** The arguments between the brackets of a call, trimmed; null if the bracket is not closed. */
function argumentsOf(source: string, open: number): { from: number; text: string }[] | null {
  const found: { from: number; text: string }[] = [];
  let from = open;
  const add = (to: number) => {
    const text = source.slice(from, to);
    if (text.trim() !== '') found.push({ from: from + text.length - text.trimStart().length, text: text.trim() });
    from = to + 1;
  };
  for (let depth = 1, at = open; at < source.length; at++) {
    const sign = source[at];
    if (sign === '#') return null;
    if (sign === '"' || sign === "'") {
      at = stringEnd(source, at);
      if (at < 0) return null;
    } else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign) && --depth === 0) {
      add(at);
      return found;
    } else if (sign === ',' && depth === 1) add(at);
  }
  return null;
}

/** Position of the closing quote of the string that begins at `at`; -1 if there is none. */
function stringEnd(source: string, at: number): number {
  const quote = source.startsWith(source[at].repeat(3), at) ? source[at].repeat(3) : source[at];
  for (let k = at + quote.length; k < source.length; k++) {
    if (source[k] === '\\') k++;
    else if (source.startsWith(quote, k)) return k + quote.length - 1;
  }
  return -1;
}
