/** The drawer below the rows: tabs, one of them shown. Its height is dragged; only the tab that is shown costs anything. */
import { iconButton } from '../components';
import { whenIdle } from '../idle';
import { onDrag } from '../input/drag';
import { element } from '../panels/dom';
import { type Changes, changedAny, type Panel, type View } from '../state/view';
import type { Tab } from './tab';
import { TABS } from './tabs';

const LEAST_PX = 90;
const MOST_SHARE = 0.75;
/** Of a slow tab, after the last change. */
const PAUSE_MS = 140;
/** At the latest so long after a selection: the editor, which may run in the same thread, shows its line meanwhile. */
const AFTER_SELECTION_MS = 100;

export function drawer(view: View): Panel {
  const strip = element('div.tabs', { role: 'tablist', 'aria-label': 'Views of the profile' });
  const body = element('div.detailsBody', { tabindex: 0, role: 'tabpanel' });
  const handle = element('div.handle', { title: 'Drag to resize' });
  const close = iconButton('close', 'Hide this panel (Q)', () => view.store.update({ detailsOpen: false }));
  const box = element('section.details', {}, handle, element('div.tabBar', {}, strip, close), body);
  strip.append(...TABS.map(tab => tabButton(view, tab)));
  strip.addEventListener('keydown', event => stepTabs(view, event));
  onDrag(handle, () => {
    const began = view.store.state.detailsPx;
    const clamp = (px: number) => Math.max(LEAST_PX, Math.min(window.innerHeight * MOST_SHARE, px));
    return { move: (_, __, dyPx) => view.store.update({ detailsPx: clamp(began - dyPx) }), end: () => {} };
  });
  const filler = new Filler(view, body);
  return {
    element: box,
    draw(changed) {
      const { detailsOpen, detailsPx } = view.store.state;
      box.hidden = !detailsOpen;
      // its height is fixed: what is above must not jump with the length of what is shown
      box.style.flexBasis = `${detailsPx}px`;
      if (!detailsOpen) return;
      if (changed.has('tab') || changed.has('detailsOpen') || strip.querySelector('[aria-selected=true]') === null)
        markCurrent(view, strip);
      filler.draw(changed);
    },
  };
}

class Filler {
  private shown: Tab | null = null;
  private timer = 0;
  private callOff = () => {};

  constructor(
    private readonly view: View,
    private readonly body: HTMLElement,
  ) {}

  draw(changed: Changes) {
    const tab = TABS.find(({ id }) => id === this.view.store.state.tab) ?? TABS[0];
    const other = tab !== this.shown;
    tab.move?.(this.view);
    if (!other && !changedAny(changed, tab.needs) && !changed.has('detailsOpen') && !changed.has('model')) return;
    this.shown = tab;
    clearTimeout(this.timer);
    this.callOff();
    if (tab.slow && !other) this.timer = window.setTimeout(() => this.fill(tab, false), PAUSE_MS);
    else if (changed.has('selected') && !other) this.callOff = whenIdle(() => this.fill(tab, true), AFTER_SELECTION_MS);
    else this.fill(tab, other);
  }

  private fill(tab: Tab, fromTop: boolean) {
    const { body, view } = this;
    const { scrollTop } = body;
    body.dataset.tab = tab.id;
    body.setAttribute('aria-label', tab.title);
    body.replaceChildren(...(view.model ? tab.content(view) : []));
    body.scrollTop = fromTop ? 0 : scrollTop;
  }
}

function tabButton(view: View, { id, title, about }: Tab): HTMLElement {
  const button = element('button.tab', { type: 'button', role: 'tab', id: `tab-${id}`, title: about }, title);
  button.addEventListener('click', () => view.store.update({ tab: id, detailsOpen: true }));
  return button;
}

function markCurrent(view: View, strip: HTMLElement) {
  const current = `tab-${view.store.state.tab}`;
  for (const button of strip.children) {
    const chosen = button.id === current;
    if (button.getAttribute('aria-selected') === String(chosen)) continue;
    button.setAttribute('aria-selected', String(chosen));
    (button as HTMLElement).tabIndex = chosen ? 0 : -1;
    if (chosen) button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

/** Arrow keys, as tab lists have them; the page's own keys do not hear them. */
function stepTabs(view: View, event: KeyboardEvent) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const at = TABS.findIndex(tab => tab.id === view.store.state.tab);
  const next = TABS[(at + by + TABS.length) % TABS.length];
  view.store.update({ tab: next.id });
  document.getElementById(`tab-${next.id}`)?.focus();
}
