/**
 * Whether a JSON text can be parsed in memory proportional to its size, and its value traversed without a stack overflow. An empty array
 * takes three bytes of text and twenty times as many bytes of memory: a file of 300 KB may unpack to a text whose value takes gigabytes.
 * This file only counts brackets, commas and names. JSON.parse decides whether the text is JSON.
 */

/** Objects, arrays and names of fields: real headers have thousands. */
const MOST_PARTS = 2 ** 22;
/** Entries: a header of a million instructions has about that many. */
const MOST_ENTRIES = 2 ** 25;
const MOST_DEPTH = 64;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export function isModestJson(text: Uint8Array): boolean {
  let [parts, entries, depth] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) at = endOfString(text, at);
    else if (byte === COMMA) entries++;
    else if (byte === COLON) parts++;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      parts++;
      if (++depth > MOST_DEPTH) return false;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
  }
  return parts <= MOST_PARTS && entries <= MOST_ENTRIES;
}

/** Position of the closing quote, or the end of the text. Uses the built-in indexOf, because most of a header is strings. */
function endOfString(text: Uint8Array, from: number): number {
  let at = text.indexOf(QUOTE, from + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf(QUOTE, at + 1);
  return at < 0 ? text.length : at;
}

function isEscaped(text: Uint8Array, quote: number): boolean {
  let at = quote - 1;
  while (text[at] === BACKSLASH) at--;
  return (quote - at) % 2 === 0;
}
