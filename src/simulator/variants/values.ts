/**
 * Values of a parameter as people type them: `128`, `512,1024,2048`, `{512,1024}`, a range with its step `128:512:128` (both ends count), a
 * range of powers `128:2048:*2`, `true`, `null`, `"text"`, or a bare word.
 */

export type ParameterValue = string | number | boolean | null;

/** What is wrong with the space that was asked for; the message is for its author. */
export class SpaceError extends Error {
  override name = 'SpaceError';
}

/** Of one parameter. */
const MOST_VALUES = 10_000;

/** @param name for messages. @throws SpaceError */
export function parseValues(name: string, text: string): ParameterValue[] {
  const inner = /^\{(.*)\}$/s.exec(text.trim())?.[1] ?? text;
  const values = splitOutside(inner, ',').flatMap(word => valuesOf(name, word.trim()));
  if (values.length > MOST_VALUES) throw new SpaceError(`${name} has ${values.length} values, more than ${MOST_VALUES}`);
  return [...new Set(values)];
}

function valuesOf(name: string, word: string): ParameterValue[] {
  if (word === '') throw new SpaceError(`${name}: a value is missing; write it as ${name}=128,256 or ${name}=128:512:128`);
  const range = /^(-?\d+):(-?\d+)(?::(\*?)(-?\d+))?$/.exec(word);
  return range ? rangeOf(name, word, range) : [valueOfWord(word)];
}

function rangeOf(name: string, word: string, [, first, last, times, by]: RegExpExecArray): number[] {
  const [from, to, step] = [Number(first), Number(last), by === undefined ? 1 : Number(by)];
  const next = times ? (value: number) => value * step : (value: number) => value + step;
  const isUp = times ? step > 1 && from > 0 && to >= from : step > 0 && to >= from;
  if (!isUp) throw new SpaceError(`${name}=${word}: a range goes up, as in ${name}=128:512:128 or ${name}=128:2048:*2`);
  const values: number[] = [];
  for (let value = from; value <= to && values.length <= MOST_VALUES; value = next(value)) values.push(value);
  return values;
}

/** A number, `true`, `false`, `null`, a text in quotes, or the word itself. */
export function valueOfWord(word: string): ParameterValue {
  try {
    const value: unknown = JSON.parse(word);
    if (value === null || typeof value !== 'object') return value as ParameterValue;
  } catch {
    // a bare word
  }
  return word;
}

/** Parts between separators that stand in no quotes and no brackets. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quote) {
      if (sign === '\\') at++;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    else if (sign === separator && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
