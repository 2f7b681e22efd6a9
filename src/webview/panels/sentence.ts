/**
 * A sentence of the simulator whose numbers are links to what they came from. The phrases below say it of numbers that stand in them; the
 * caller says it of all others.
 */
import { numbersIn } from '../../simulator/analyze/numbersIn';
import { lineOrigin, type NumberOrigin, resourceOrigin, tabOrigin } from '../actions/origins';
import { element } from '../dom/element';
import type { View } from '../view/view';
import { link } from './links';

interface Phrase {
  pattern: RegExp;
  /** `file`: of lines that are named by their number alone. */
  origin(match: RegExpExecArray, view: View, file: string | undefined): NumberOrigin | null;
  /** The whole phrase is the link. */
  isWhole?: true;
}

const PATH = tabOrigin('path', 'Shows the critical path');
const ROOFLINE = tabOrigin('summary', 'Shows the roofline', 'Roofline');

/** The first that matches a number counts. */
const PHRASES: readonly Phrase[] = [
  { pattern: /([\w.-]+\.py):(\d+)/g, origin: ([, file, line], view) => lineOrigin(view, Number(line), file), isWhole: true },
  { pattern: /\bline (\d+)/g, origin: ([, line], view, path) => lineOrigin(view, Number(line), path), isWhole: true },
  { pattern: /\S+ % of what this algorithm can reach/g, origin: () => tabOrigin('advice', 'Shows the bounds', 'How good') },
  { pattern: /alone takes \S+ % of the body at the rate of all DMA engines/g, origin: () => ROOFLINE },
  { pattern: /\S+ % of the critical path|for \S+ % of it|The critical path is .*?%(?=\.)/g, origin: () => PATH },
  { pattern: /(\w+) is the busiest engine, \S+ %/g, origin: ([, engine]) => resourceOrigin(engine) },
  { pattern: /DMA moves data for \S+ %/g, origin: () => resourceOrigin('DMA') },
  { pattern: /FLOPs take \S+ % of the body at peak.*/g, origin: () => ROOFLINE },
];

interface Part {
  from: number;
  to: number;
  origin: NumberOrigin;
}

/**
 * @param otherwise what numbers outside of all phrases came from
 * @param file of lines that are named by their number alone; absent: the profile has events of one file only
 */
export function sentence(view: View, text: string, otherwise: NumberOrigin, file?: string): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const { from, to, origin } of parts(view, text, otherwise, file)) {
    if (from < at) continue;
    if (from > at) nodes.push(document.createTextNode(text.slice(at, from)));
    const pressed = link(text.slice(from, to), origin.about, () => origin.open(view));
    // what ends a sentence stays on the line of its last number
    const [mark] = /^[.,;:)]*/.exec(text.slice(to))!;
    nodes.push(mark ? element('span.unbroken', {}, pressed, mark) : pressed);
    at = to + mark.length;
  }
  if (at < text.length) nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

/** In order; of those that begin together the longest first. */
function parts(view: View, text: string, otherwise: NumberOrigin, file: string | undefined): Part[] {
  const phrases = PHRASES.flatMap(({ pattern, origin, isWhole }) =>
    [...text.matchAll(pattern)].flatMap(match => {
      const found = origin(match, view, file);
      return found ? [{ from: match.index, to: match.index + match[0].length, origin: found, isWhole }] : [];
    }),
  );
  const numbers = numbersIn(text).map(({ from, to }) => {
    const phrase = phrases.find(known => known.from <= from && known.to >= to);
    return { from, to, origin: phrase?.origin ?? otherwise };
  });
  return [...phrases.filter(({ isWhole }) => isWhole), ...numbers].sort((a, b) => a.from - b.from || b.to - a.to);
}
