/** The mark of a stacked profile: a shape and a letter, in a colour. Shape and letter are enough to identify it. */

import { letterOf } from '../data/stack';
import { element } from '../dom/element';

/** Filled shapes in 12 x 12, by number. */
const SHAPES = [
  'M6 1a5 5 0 1 1 0 10a5 5 0 0 1 0-10Z',
  'M6 1 11.5 11H.5Z',
  'M1.5 1.5h9v9h-9Z',
  'M6 0 12 6 6 12 0 6Z',
  'M4 1h4v3h3v4H8v3H4V8H1V4h3Z',
  'M6 11 .5 1h11Z',
  'M6 .5 7.6 4.3l4 .4-3 2.7.9 4L6 9.3 2.5 11.4l.9-4-3-2.7 4-.4Z',
  'M.5 3.5h11v5H.5Z',
] as const;

export const markColour = (number: number) => `var(--scope-series-${number % SHAPES.length})`;

const SVG = 'http://www.w3.org/2000/svg';

/** Hidden from screen readers, because the text beside it has the name. */
export function profileMark(number: number): HTMLElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 12 12');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', SHAPES[number % SHAPES.length]);
  svg.append(path);
  const made = element('span.profileMark', { 'aria-hidden': 'true' });
  svg.style.color = markColour(number);
  made.append(svg, letterOf(number));
  return made;
}
