/** The names beside the rows: text for screen readers too, a button each to fold the row. */
import { percentText } from '../../simulator/analyze/format';
import { busyNs } from '../../simulator/profile/windowMarks';
import { spanNs } from '../math/timeSpan';
import { plural } from '../math/units';
import type { Panel, View } from '../state/view';
import type { Row } from '../tracks/layout';
import { element } from './dom';
import { icon } from './icons';

export function rowLabels(view: View): Panel {
  const list = element('div.labelList');
  const shares = new Map<Row, HTMLElement>();
  const rebuild = () => {
    shares.clear();
    list.replaceChildren(...view.layout.rows.map(row => label(view, row, shares)));
  };
  return {
    element: element('div.labels', {}, list),
    draw(changed) {
      if (changed.has('model') || changed.has('collapsed')) rebuild();
      list.style.transform = `translateY(${-view.store.state.scrollTop}px)`;
      if (changed.has('span') || changed.has('model') || changed.has('collapsed')) drawShares(view, shares);
    },
  };
}

function label(view: View, row: Row, shares: Map<Row, HTMLElement>): HTMLElement {
  const share = element('span.share', { title: 'Busy in the visible time' });
  shares.set(row, share);
  const made = element(
    `button.label.${row.kind}`,
    { type: 'button', 'aria-expanded': String(!row.collapsed), title: `${row.name}: ${plural(row.events, 'event')}. Click to fold.` },
    icon('chevron'),
    element('span.name', {}, row.name),
    share,
  );
  made.style.top = `${row.topPx}px`;
  made.style.height = `${row.heightPx}px`;
  made.addEventListener('click', () => toggle(view, row.name));
  return made;
}

function toggle(view: View, name: string) {
  const { collapsed } = view.store.state;
  view.store.update({ collapsed: collapsed.includes(name) ? collapsed.filter(other => other !== name) : [...collapsed, name] });
}

function drawShares(view: View, shares: Map<Row, HTMLElement>) {
  const { span } = view.store.state;
  for (const [row, place] of shares) {
    let busy = 0;
    // overlapping lanes may sum to more than the time there is: then the row is simply full
    for (const lane of row.lanes) busy += busyNs(lane, span.startNs, span.endNs);
    place.textContent = row.collapsed ? '' : percentText(Math.min(1, busy / spanNs(span)));
  }
}
