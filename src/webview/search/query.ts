/**
 * The search language: terms joined by AND, each a text or a /regular expression/ on one field (`opcode:MATMUL`,
 * `line:/softmax.py:2\\d/`), a comparison (`duration>1.5us`), or a bare text for everything that has a name. NOT negates a term. This
 * file parses queries; `fields.ts` evaluates fields.
 */
import { FIELD_NAMES, FIELDS, isNumberField, resolveField } from './fieldNames';

export type TextTest = (text: string) => boolean;

export type Term = { negated: boolean } & (
  | { kind: 'text'; field: string | null; test: TextTest }
  | { kind: 'number'; field: string; test(value: number): boolean }
);

const COMPARISONS: Record<string, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '=': (a, b) => a === b,
  ':': (a, b) => a === b,
};

/** Factors to nanoseconds and bytes; a number alone is in those already. */
const UNITS: Record<string, number> = {
  '': 1, ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, b: 1, kb: 1e3, mb: 1e6, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, k: 1e3, m: 1e6,
}; // biome-ignore format: a table

/**
 * Empty for an empty query.
 * @throws SyntaxError for a broken regular expression, an unknown field or a value that is no number; the message says which
 */
export function parseQuery(text: string): Term[] {
  return split(text.trim()).map(parseTerm);
}

/** Splits at AND, and before each `field:`, so that `opcode:MATMUL line:12` needs no AND. Not inside quotes and slashes. */
function split(text: string): string[] {
  const next = `(?:NOT\\s+)?(?:(?:${FIELD_NAMES.join('|')})(?:[:=]|[<>]=?)|[a-z_]+:(?=\\S))`;
  const separator = new RegExp(`^\\s+(?:(?:AND|&&)\\s+|(?=${next}))`, 'i');
  const terms: string[] = [''];
  let closing = '';
  for (let i = 0; i < text.length; ) {
    const gap = closing === '' && terms[terms.length - 1] !== 'NOT' ? separator.exec(text.slice(i)) : null;
    if (gap) {
      terms.push('');
      i += gap[0].length;
      continue;
    }
    const at = terms[terms.length - 1];
    if (closing !== '' && text[i] === closing && text[i - 1] !== '\\') closing = '';
    else if (closing === '' && /["/]/.test(text[i]) && /(^|[:\s])$/.test(at)) closing = text.indexOf(text[i], i + 1) > 0 ? text[i] : '';
    terms[terms.length - 1] += text[i++];
  }
  return terms.map(term => term.trim()).filter(term => term !== '');
}

function parseTerm(term: string): Term {
  const negated = /^NOT\s+/.test(term);
  const rest = term.replace(/^NOT\s+/, '');
  const [, name, operator, value] = /^([a-z_]+)\s*(>=|<=|[:=<>])\s*(.*)$/is.exec(rest) ?? [];
  const field = name === undefined ? null : resolveField(name);
  if (field !== null && isNumberField(field)) return { kind: 'number', negated, field, test: numberTest(operator, value, rest) };
  // `S[8]>=16`, `file.py:12` and `imm=3` are texts; a word before `:`, `<` or `>` is meant to be a field
  if (name !== undefined && field === null && operator !== '=')
    throw new SyntaxError(
      `There is no field “${name}”. Put quotes around a text, or use ${FIELDS.map(({ names }) => names[0]).join(', ')}`,
    );
  if (field !== null && /[:=]/.test(operator)) return { kind: 'text', negated, field, test: textTest(value) };
  return { kind: 'text', negated, field: null, test: textTest(rest) };
}

function numberTest(operator: string, value: string, term: string): (n: number) => boolean {
  const [, digits, unit] = /^([\d.]+(?:e\d+)?)\s*([a-zµ]*)$/i.exec(value) ?? [];
  const wanted = Number(digits) * (UNITS[unit?.toLowerCase()] ?? Number.NaN);
  if (Number.isNaN(wanted)) throw new SyntaxError(`“${term}” compares with no number`);
  return n => COMPARISONS[operator](n, wanted);
}

function textTest(value: string): TextTest {
  const regex = /^\/(.+)\/([imsu]*)$/.exec(value);
  if (regex) {
    const compiled = new RegExp(regex[1], regex[2]);
    return text => compiled.test(text);
  }
  const needle = value.replace(/^"(.*)"$/, '$1').toLowerCase();
  return text => text.toLowerCase().includes(needle);
}
