/** The drawer's tabs as buttons, with how much is in them; those that there is no room for are in a list at the end. */
import { element } from '../dom/element';
import { countText } from '../math/units';
import type { TabId } from '../state/settings';
import type { View } from '../view/view';
import type { Tab } from './tab';
import { shownTab, TABS, tabsOf } from './tabs';

export interface TabStrip {
  /** The tabs, then the list of those out of sight. */
  elements: HTMLElement[];
  draw(): void;
}

export function tabStrip(view: View): TabStrip {
  const strip = element('div.tabs', { role: 'tablist', 'aria-label': 'Views of the profile' });
  const more = element('select.select.moreTabs', { 'aria-label': 'More views of the profile', title: 'Views that there is no room for' });
  strip.append(...TABS.map(tab => tabButton(view, tab)));
  strip.addEventListener('keydown', event => stepTabs(view, event));
  more.addEventListener('change', () => view.store.update({ tab: more.value as TabId, detailsOpen: true }));
  const fill = () => fillMore(strip, more);
  strip.addEventListener('scroll', fill);
  new ResizeObserver(fill).observe(strip);
  const count = () => {
    for (const [i, tab] of TABS.entries()) {
      const button = strip.children[i] as HTMLElement;
      button.hidden = tab.isFor?.(view) === false;
      button.lastElementChild!.textContent = counting(tab, view);
    }
  };
  const counted = view.drawing(() => {
    keepingCurrent(strip, count);
    fill();
  });
  const current = view.drawing(() => {
    if (!view.state.detailsOpen) return;
    markCurrent(strip, shownTab(view).id);
    fill();
  });
  return {
    elements: [strip, more],
    draw() {
      counted();
      current();
    },
  };
}

function tabButton(view: View, { id, title, about }: Tab): HTMLElement {
  const button = element(
    'button.tab',
    { type: 'button', role: 'tab', id: `tab-${id}`, title: about, 'aria-controls': 'drawer' },
    title,
    element('span.tabCount'),
  );
  button.addEventListener('click', () => view.store.update({ tab: id, detailsOpen: true }));
  return button;
}

/** ` 3`; empty where nothing is counted. */
function counting(tab: Tab, view: View): string {
  const count = view.model && tab.count?.(view);
  return count ? ` ${countText(count)}` : '';
}

function markCurrent(strip: HTMLElement, tab: TabId) {
  const current = `tab-${tab}`;
  for (const button of strip.children) {
    const chosen = button.id === current;
    if (button.getAttribute('aria-selected') === String(chosen)) continue;
    button.setAttribute('aria-selected', String(chosen));
    (button as HTMLElement).tabIndex = chosen ? 0 : -1;
    if (chosen) button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

/** A change that makes tabs wider does not push the one that is shown out of sight. */
function keepingCurrent(strip: HTMLElement, change: () => void) {
  const current = strip.querySelector('[aria-selected="true"]');
  const wasCut = current?.classList.contains('cut');
  change();
  if (!wasCut) current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Tabs of which a part is out of sight: half a name is not shown. */
function fillMore(strip: HTMLElement, more: HTMLSelectElement) {
  const { left, right } = strip.getBoundingClientRect();
  const places = [...strip.children].map(button => button.getBoundingClientRect());
  const unseen = [...strip.children].flatMap((button, i) => {
    const isCut = places[i].left < left - 1 || places[i].right > right + 1;
    button.classList.toggle('cut', isCut);
    return isCut && !(button as HTMLElement).hidden ? [{ id: TABS[i].id, text: button.textContent ?? '' }] : [];
  });
  more.hidden = unseen.length === 0;
  const known = [...more.options].slice(1).map(option => option.text);
  more.selectedIndex = 0;
  if (known.join() === unseen.map(({ text }) => text).join()) return;
  const head = element('option', { value: '', disabled: true, selected: true, hidden: true }, `${unseen.length} more`);
  more.replaceChildren(head, ...unseen.map(({ id, text }) => element('option', { value: id }, text)));
}

/** Arrow keys, as tab lists have them; the page's own keys do not hear them. */
function stepTabs(view: View, event: KeyboardEvent) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const tabs = tabsOf(view);
  const at = tabs.indexOf(shownTab(view));
  const next = tabs[(at + by + tabs.length) % tabs.length];
  view.store.update({ tab: next.id });
  document.getElementById(`tab-${next.id}`)?.focus();
}
