/** Tabs of the ranks of a run, where the host is an editor; a served page has links in their place (`protocol/page.ts`). */
import { unstackAll } from '../actions/stack';
import { areRanks } from '../data/stack';
import { element } from '../dom/element';
import type { Panel, View } from '../view/view';

export function rankTabs(view: View): Panel {
  const tabs = element('nav.rankLinks', { 'aria-label': 'Ranks', hidden: true });
  return {
    element: tabs,
    draw: view.drawing(() => {
      const { rankTabs: known, stack } = view.state;
      tabs.hidden = known === null;
      if (!known) return;
      const together = areRanks(stack);
      const own = (at: number) => at === known.own && !together;
      tabs.replaceChildren(
        tab('All ranks', together, () => view.stackRanks()),
        ...known.labels.map((label, at) => tab(label, own(at), () => (at === known.own ? unstackAll(view) : view.openRank(at)))),
      );
    }),
  };
}

function tab(label: string, isShown: boolean, press: () => void): HTMLElement {
  const made = element('button', { type: 'button', 'aria-current': isShown ? 'page' : null }, label);
  if (!isShown) made.addEventListener('click', press);
  return made;
}
