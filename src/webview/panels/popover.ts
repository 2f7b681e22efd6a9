/**
 * A floating part of the page: visible while the state says so, closed by Escape or a press outside, and with focus moved to it and back.
 */
import { iconButton } from '../dom/components';
import { element } from '../dom/element';
import type { Reads } from '../state/tracker';
import type { State } from '../state/viewState';
import type { Panel, View } from '../view/view';

export interface PopoverOptions {
  id: NonNullable<State['open']>;
  title: string;
  /** Drawn again, while open, when a value that it read has changed. */
  content(view: View): Node[];
  /** Gets the focus; the box itself without. */
  focus?(box: HTMLElement): HTMLElement | null;
  wide?: boolean;
}

export function popover(view: View, { id, title, content, focus, wide = false }: PopoverOptions): Panel {
  const close = () => view.store.update({ open: null });
  const body = element('div.popoverBody');
  const head = element('header', {}, element('h2', {}, title), iconButton('close', 'Close (Esc)', close));
  const box = element(`div.helpBox${wide ? '.wide' : ''}` as 'div', { role: 'dialog', 'aria-label': title, tabindex: -1 }, head, body);
  const overlay = element('div.popover', { 'data-part': id, hidden: true }, box);
  overlay.addEventListener('click', event => event.target === overlay && close());
  let before: Element | null = null;
  /** By what is shown; null while nothing is. */
  let reads: Reads<State> | null = null;
  return {
    element: overlay,
    draw() {
      const open = view.state.open === id;
      const opened = open && overlay.hidden;
      if (!open && !overlay.hidden) (before as HTMLElement | null)?.focus?.();
      overlay.hidden = !open;
      if (!open) reads = null;
      if (!open || (reads && !reads.changed())) return;
      const { scrollTop } = box;
      reads = view.during(() => body.replaceChildren(...content(view)));
      box.scrollTop = scrollTop;
      if (!opened) return;
      before = document.activeElement;
      (focus?.(box) ?? box).focus();
    },
  };
}
