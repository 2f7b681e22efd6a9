/** A floating part of the page: shown while the state says so, closed by Escape or a press beside it, with the focus given and returned. */
import { iconButton } from '../components';
import type { Change, Panel, View } from '../state/view';
import { changedAny } from '../state/view';
import type { State } from '../state/viewState';
import { element } from './dom';

export interface PopoverOptions {
  id: NonNullable<State['open']>;
  title: string;
  /** Filled anew while open when one of these changed. */
  needs: readonly Change[];
  content(view: View): Node[];
  /** Gets the focus; the box itself without. */
  focus?(box: HTMLElement): HTMLElement | null;
  wide?: boolean;
}

export function popover(view: View, { id, title, needs, content, focus, wide = false }: PopoverOptions): Panel {
  const close = () => view.store.update({ open: null });
  const body = element('div.popoverBody');
  const head = element('header', {}, element('h2', {}, title), iconButton('close', 'Close (Esc)', close));
  const box = element(`div.helpBox${wide ? '.wide' : ''}` as 'div', { role: 'dialog', 'aria-label': title, tabindex: -1 }, head, body);
  const overlay = element('div.popover', { 'data-part': id, hidden: true }, box);
  overlay.addEventListener('click', event => event.target === overlay && close());
  let before: Element | null = null;
  return {
    element: overlay,
    draw(changed) {
      const open = view.store.state.open === id;
      const opened = open && overlay.hidden;
      if (!open && !overlay.hidden) (before as HTMLElement | null)?.focus?.();
      overlay.hidden = !open;
      if (!open || (!opened && !changedAny(changed, needs))) return;
      const { scrollTop } = box;
      body.replaceChildren(...content(view));
      box.scrollTop = scrollTop;
      if (!opened) return;
      before = document.activeElement;
      (focus?.(box) ?? box).focus();
    },
  };
}
