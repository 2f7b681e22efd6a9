/**
 * One pass over a JSON object of arrays, as `neuron-profile` writes them, of any size: gives each array's elements one by one, and has at
 * most one of them in memory. Whole numbers beyond 2^53 (ids) arrive as strings, digit for digit.
 *
 * It finds the ends of elements itself. JSON.parse parses each element.
 */
import { FormatError } from '../../columns/container';

/** An element larger than this is no row of a profile. */
const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export type JsonRow = Record<string, unknown>;

/**
 * @param onRow called for each element that is an object; a section that is an object counts as its only element
 * @throws FormatError if the text is not such an object, or is cut short
 */
export function readJsonRows(chunks: Iterable<Uint8Array>, onRow: (section: string, row: JsonRow) => void): void {
  const reader = new Reader(onRow);
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
}

/** The kind of token that the next byte may begin. */
type Expecting = 'start' | 'key' | 'colon' | 'section' | 'element' | 'after-element' | 'after-section' | 'nothing';

class Reader {
  private expecting: Expecting = 'start';
  private section = '';
  /** The kind of the value that is being read. */
  private inside: 'key' | 'section' | 'element' | null = null;
  private depth = 0;
  private inString = false;
  private escaped = false;
  private parts: Uint8Array[] = [];
  private size = 0;
  /** For skipping the byte-order mark. */
  private first = true;
  private sections = 0;

  constructor(private readonly onRow: (section: string, row: JsonRow) => void) {}

  push(chunk: Uint8Array) {
    let at = this.first && chunk[0] === 0xef ? 3 : 0;
    if (chunk.length > 0) this.first = false;
    while (at < chunk.length) {
      if (this.inside) at = this.continueValue(chunk, at);
      else if (isSpace(chunk[at])) at++;
      else at = this.token(chunk, at);
    }
  }

  end() {
    if (this.expecting === 'start') throw damaged('it is empty');
    if (this.expecting !== 'nothing') throw damaged(`it is cut short${this.section ? ` in ${shown(this.section)}` : ''}`);
    if (this.sections === 0) throw damaged('it has no tables');
  }

  private token(chunk: Uint8Array, at: number): number {
    const byte = chunk[at];
    switch (this.expecting) {
      case 'start':
        return this.step(byte === OPEN_OBJECT, 'key', at, 'the JSON is not an object of tables');
      case 'key':
        if (byte === CLOSE_OBJECT && this.sections === 0) return this.step(true, 'nothing', at, '');
        if (byte !== QUOTE) throw damaged('a table has no name');
        return this.begin('key', at);
      case 'colon':
        return this.step(byte === COLON, 'section', at, `there is no colon after "${shown(this.section)}"`);
      case 'section':
        this.sections++;
        return byte === OPEN_ARRAY ? this.step(true, 'element', at, '') : this.begin('section', at);
      case 'element':
        return byte === CLOSE_ARRAY ? this.step(true, 'after-section', at, '') : this.begin('element', at);
      case 'after-element':
        return this.step(byte === COMMA || byte === CLOSE_ARRAY, byte === COMMA ? 'element' : 'after-section', at, this.broken());
      case 'after-section':
        return this.step(byte === COMMA || byte === CLOSE_OBJECT, byte === COMMA ? 'key' : 'nothing', at, this.broken());
      default:
        throw damaged('something follows its end');
    }
  }

  private broken = () => `the rows of ${this.section} are not separated by commas`;

  private step(right: boolean, next: Expecting, at: number, why: string): number {
    if (!right) throw damaged(why);
    this.expecting = next;
    return at + 1;
  }

  private begin(what: 'key' | 'section' | 'element', at: number): number {
    this.inside = what;
    this.depth = 0;
    this.inString = false;
    this.escaped = false;
    this.parts = [];
    this.size = 0;
    return at;
  }

  /** Takes bytes of the open value; ends it when its end is in the chunk. */
  private continueValue(chunk: Uint8Array, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.inString) {
        if (this.escaped) this.escaped = false;
        else if (byte === BACKSLASH) this.escaped = true;
        else if (byte === QUOTE) {
          this.inString = false;
          if (this.depth === 0) return this.finish(chunk, from, at + 1);
        }
      } else if (byte === QUOTE) this.inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (++this.depth > MAX_DEPTH) throw damaged(`a row of ${shown(this.section)} is nested too deeply`);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        // a bare number or word ends at the bracket of its container
        if (this.depth === 0) return this.finish(chunk, from, at);
        if (--this.depth === 0) return this.finish(chunk, from, at + 1);
      } else if (this.depth === 0 && (byte === COMMA || isSpace(byte))) return this.finish(chunk, from, at);
    }
    this.keep(chunk.slice(from, at));
    return at;
  }

  private keep(part: Uint8Array) {
    this.size += part.length;
    if (this.size > MAX_ELEMENT_BYTES)
      throw damaged(`a row of ${shown(this.section) || 'the file'} is larger than ${MAX_ELEMENT_BYTES} bytes`);
    this.parts.push(part);
  }

  private finish(chunk: Uint8Array, from: number, to: number): number {
    this.keep(chunk.subarray(from, to));
    const value = parse(this.parts, this.section);
    if (this.inside === 'key') {
      this.section = String(value);
      this.expecting = 'colon';
    } else {
      this.expecting = this.inside === 'element' ? 'after-element' : 'after-section';
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) this.onRow(this.section, value as JsonRow);
    }
    this.inside = null;
    return to;
  }
}

const damaged = (why: string) => new FormatError(`the JSON profile is damaged: ${why}`);

const decoder = new TextDecoder();

function parse(parts: Uint8Array[], section: string): unknown {
  const text = parts.length === 1 ? decoder.decode(parts[0]) : decoder.decode(joined(parts));
  try {
    return JSON.parse(withExactIntegers(text));
  } catch {
    throw damaged(section ? `a row of ${shown(section)} does not parse` : 'it does not parse');
  }
}

function joined(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Strings are matched first, so that digits inside them stay. */
const LONG_INTEGERS = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<=[:,[\s])-?\d{16,}(?![\d.eE])/g;

const withExactIntegers = (text: string) =>
  /\d{16}/.test(text) ? text.replace(LONG_INTEGERS, token => (token.startsWith('"') ? token : `"${token}"`)) : text;

/** A name from a file, fit for one line. */
const shown = (name: string) => JSON.stringify(name.slice(0, 60)).slice(1, -1);
