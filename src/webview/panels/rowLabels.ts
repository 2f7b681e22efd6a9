/** The names beside the rows: text for screen readers too. A press folds the row, a drag moves it, its lower edge resizes it, icons pin and hide it. */
import { percentText } from '../../simulator/analyze/format';
import { busyNs } from '../../simulator/profile/windowMarks';
import { onDrag } from '../input/drag';
import { spanNs } from '../math/timeSpan';
import { plural } from '../math/units';
import { type Change, changedAny, type Panel, type View } from '../state/view';
import { hideRow, moveRow, scaleRow, toggleRow } from '../tracks/actions';
import { type Row, rowAt, rowTopPx } from '../tracks/layout';
import { element } from './dom';
import { type IconName, icon } from './icons';

const ROWS: readonly Change[] = ['model', 'other', 'collapsed', 'hidden', 'pinned', 'rowOrder', 'rowScale', 'dmaRows'];

export function rowLabels(view: View): Panel {
  const pinned = element('div.labelList.pinnedList');
  const list = element('div.labelList');
  const shares = new Map<Row, HTMLElement>();
  const rebuild = () => {
    shares.clear();
    const made = (rows: readonly Row[]) => rows.map(row => label(view, row, shares));
    pinned.replaceChildren(...made(view.layout.rows.filter(row => row.pinned)));
    list.replaceChildren(...made(view.layout.rows.filter(row => !row.pinned)));
    pinned.style.height = `${view.layout.pinnedPx}px`;
  };
  return {
    element: element('div.labels', {}, list, pinned),
    draw(changed) {
      const rows = changedAny(changed, ROWS);
      if (rows) rebuild();
      list.style.transform = `translateY(${-view.store.state.scrollTop}px)`;
      if (rows || changed.has('span')) drawShares(view, shares);
    },
  };
}

function label(view: View, row: Row, shares: Map<Row, HTMLElement>): HTMLElement {
  const share = element('span.share', { title: 'Busy in the visible time' });
  shares.set(row, share);
  const fold = element(
    `button.fold.${row.kind}` as 'button',
    {
      type: 'button',
      'aria-expanded': String(!row.collapsed),
      title: `${row.name}: ${plural(row.events, 'event')}. Click to fold, drag to move.`,
    },
    icon('chevron'),
    element('span.name', {}, row.name),
  );
  const made = element(
    `div.label.${row.kind}${row.side === 1 ? '.other' : ''}` as 'div',
    {},
    fold,
    action('pin', `${row.pinned ? 'Unpin' : 'Pin'} ${row.name} (P)`, row.pinned, () => toggleRow(view, 'pinned', row.name)),
    action('hide', `Hide ${row.name} (H)`, false, () => hideRow(view, row.name)),
    share,
    edge(view, row),
  );
  made.style.top = `${row.topPx}px`;
  made.style.height = `${row.heightPx}px`;
  foldOrMove(view, row, fold);
  return made;
}

function action(name: IconName, title: string, on: boolean, act: () => void): HTMLElement {
  const made = element('button.rowAction', { type: 'button', title, 'aria-label': title, 'aria-pressed': String(on) }, icon(name));
  made.addEventListener('click', act);
  return made;
}

/** A press that moves is a move; one that does not, folds. The keyboard's press has no pointer and arrives as a click. */
function foldOrMove(view: View, row: Row, fold: HTMLElement) {
  fold.addEventListener('click', event => event.detail === 0 && toggleRow(view, 'collapsed', row.name));
  onDrag(fold, down => {
    const top = rowTopPx(row, view.store.state.scrollTop);
    const inRow = down.clientY - fold.getBoundingClientRect().top;
    const made = fold.closest<HTMLElement>('.label')!;
    return {
      move(_, __, dyPx) {
        made.classList.add('moving');
        made.style.transform = `translateY(${dyPx}px)`;
      },
      end(event, moved) {
        made.classList.remove('moving');
        made.style.transform = '';
        if (!moved) return toggleRow(view, 'collapsed', row.name);
        const from = fold.closest('.labels')!.getBoundingClientRect().top;
        const yPx = event.clientY - from;
        const target = rowAt(view.layout, yPx, view.store.state.scrollTop);
        if (target?.name === row.name) return;
        // upwards: before the row that it lies on; downwards: behind it
        const { rows } = view.layout;
        const up = yPx - inRow < top;
        const before = target === null ? null : up ? target.name : (rows[rows.indexOf(target) + 1]?.name ?? null);
        moveRow(view, row.name, before);
      },
    };
  });
}

function edge(view: View, row: Row): HTMLElement {
  const grip = element('div.rowEdge', { title: 'Drag to resize; double-click for the usual height' });
  onDrag(grip, () => {
    const began = view.store.state.rowScale[row.name] ?? 1;
    return { move: (_, __, dyPx) => scaleRow(view, row.name, (began * (row.heightPx + dyPx)) / row.heightPx), end: () => {} };
  });
  grip.addEventListener('dblclick', () => scaleRow(view, row.name, 1));
  return grip;
}

function drawShares(view: View, shares: Map<Row, HTMLElement>) {
  for (const [row, place] of shares) {
    const span = view.viewport(row);
    let busy = 0;
    // overlapping lanes may sum to more than the time there is: then the row is simply full
    for (const lane of row.lanes) busy += busyNs(lane, span.startNs, span.endNs);
    place.textContent = row.collapsed ? '' : percentText(Math.min(1, busy / spanNs(span)));
  }
}
