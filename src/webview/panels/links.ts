/** Active texts: a button that looks like a link, and a source position that opens its line. */
import { hasSource, positionText } from '../data/describe';
import { element } from '../dom/element';
import type { SourcePosition } from '../protocol/messages';
import type { View } from '../view/view';

export function link(text: string, about: string, onClick: () => void): HTMLElement {
  const made = element('button.link', { type: 'button', title: about }, text);
  made.addEventListener('click', onClick);
  return made;
}

/** Plain text if there is no line to open. @param short without the file, where all are in one */
export function place(view: View, position: SourcePosition, short = false): HTMLElement {
  const text = short && hasSource(position) ? `line ${position.line}` : positionText(position);
  return view.state.canOpenSource && hasSource(position)
    ? link(text, `${position.file}:${position.line}`, () => view.openSource(position, true))
    : element('span', { title: position.file }, text);
}

/** Whether all lines are of one file, which need not be named then. */
export const inOneFile = (view: View): boolean => new Set(view.model!.analysis.lines().map(({ file }) => file)).size === 1;

/** An (i) with a text for pointer, keyboard and screen reader. */
export function about(text: string, icon: Node): HTMLElement {
  return element('span.about', { title: text, tabindex: 0, role: 'note', 'aria-label': text }, icon);
}
