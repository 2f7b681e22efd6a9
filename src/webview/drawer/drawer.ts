/** The drawer below the rows: tabs, one of them shown. Its height is dragged; only the tab that is shown costs anything. */
import { iconButton } from '../dom/components';
import { onDrag } from '../dom/drag';
import { element } from '../dom/element';
import { whenIdle } from '../dom/idle';
import type { Drawing, Reads } from '../state/tracker';
import type { State } from '../state/viewState';
import type { Panel, View } from '../view/view';
import type { Tab } from './tab';
import { tabStrip } from './tabStrip';
import { shownTab, TABS } from './tabs';

const LEAST_PX = 90;
const MOST_SHARE = 0.75;
/** Of a slow tab, after the last change. */
const PAUSE_MS = 140;
/** At the latest so long after a selection: the editor, which may run in the same thread, shows its line meanwhile. */
const AFTER_SELECTION_MS = 100;

/** Stays while the rows of a large profile are drawn already. */
const COMING = 'Comes when all of the profile is here.';

export function drawer(view: View): Panel {
  const strip = tabStrip(view);
  // heads of what is in a tab stand below the tab's own, which its button already shows
  const title = element('h2.unseen', { id: 'drawer-title' });
  const body = element('div.detailsBody', { tabindex: 0, role: 'tabpanel', id: 'drawer', 'aria-labelledby': 'drawer-title' });
  const handle = element('div.handle', { title: 'Drag to resize' });
  const close = iconButton('close', 'Hide this panel (Q)', () => view.store.update({ detailsOpen: false }));
  const box = element('section.details', {}, handle, element('div.tabBar', {}, ...strip.elements, close), title, body);
  onDrag(handle, () => {
    const began = view.heights.drawerPx;
    const clamp = (px: number) => Math.max(LEAST_PX, Math.min(window.innerHeight * MOST_SHARE, px));
    return { move: (_, __, dyPx) => view.store.update({ detailsPx: clamp(began - dyPx) }), end: () => {} };
  });
  const filler = new Filler(view, title, body);
  const shown = view.drawing(() => {
    const { detailsOpen } = view.state;
    box.hidden = !detailsOpen;
    // its height is fixed: what is above must not jump with the length of what is shown
    box.style.flexBasis = `${view.heights.drawerPx}px`;
  });
  return {
    element: box,
    draw() {
      shown();
      strip.draw();
      filler.draw();
    },
  };
}

/** Fills the drawer with the tab that is shown. What a tab reads of the view decides when it is filled again. */
class Filler {
  private shown: Tab | null = null;
  /** By what is shown; null: nothing is. */
  private reads: Reads<State> | null = null;
  private readonly moves: ReadonlyMap<Tab, Drawing>;
  private selected: number | null = null;
  private callOff = () => {};

  constructor(
    private readonly view: View,
    private readonly title: HTMLElement,
    private readonly body: HTMLElement,
  ) {
    this.moves = new Map(TABS.map(tab => [tab, view.drawing(() => tab.move?.(view))]));
  }

  draw() {
    const { detailsOpen, selected } = this.view.state;
    const tab = shownTab(this.view);
    if (!detailsOpen) return this.empty();
    this.moves.get(tab)!();
    const other = tab !== this.shown;
    const isSelection = selected !== this.selected;
    const isSeen = !other && this.reads !== null;
    this.selected = selected;
    this.shown = tab;
    if (isSeen && !this.reads!.changed()) return;
    this.callOff();
    if (isSeen && tab.slow) this.callOff = later(() => this.fill(tab, false));
    else if (isSeen && isSelection) this.callOff = whenIdle(() => this.fill(tab, true), AFTER_SELECTION_MS);
    else this.fill(tab, other);
  }

  /** What is not seen holds no profile. */
  private empty() {
    this.callOff();
    this.reads = null;
  }

  private fill(tab: Tab, fromTop: boolean) {
    const { body, title, view } = this;
    const { scrollTop } = body;
    body.dataset.tab = tab.id;
    title.textContent = tab.title;
    this.reads = view.during(() => body.replaceChildren(...contentOf(tab, view)));
    body.scrollTop = fromTop ? 0 : scrollTop;
  }
}

function contentOf(tab: Tab, view: View): Node[] {
  if (view.model) return tab.content(view);
  return view.state.status === 'loading' ? [element('p.hint', {}, COMING)] : [];
}

/** @returns what calls it off */
function later(act: () => void): () => void {
  const timer = setTimeout(act, PAUSE_MS);
  return () => clearTimeout(timer);
}
