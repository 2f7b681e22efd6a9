/** The names beside the rows: text for screen readers too. A press folds the row, a drag moves it, its lower edge resizes it, icons pin and hide it. */
import { percentText, timeText } from '../../simulator/analyze/format';
import { hideRow, moveRow, scaleRow, toggleIdleRows, toggleRow } from '../actions/rows';
import { baseOf, letterOf, profileOf } from '../data/stack';
import { type Drag, onDrag } from '../dom/drag';
import { element } from '../dom/element';
import { type IconName, icon } from '../dom/icons';
import { keyName } from '../input/keymap';
import { spanNs } from '../math/timeSpan';
import { countText, plural } from '../math/units';
import { differenceText, shareText } from '../stack/deltas';
import { profileMark } from '../stack/mark';
import { rowAt, rowsBetween, type TrackRow } from '../tracks/layout';
import type { Panel, View } from '../view/view';

export function rowLabels(view: View): Panel {
  const pinned = element('div.labelList.pinnedList');
  const list = element('div.labelList');
  const area = element('div.labels', {}, list, pinned);
  const shares = new Map<TrackRow, HTMLElement>();
  const rebuild = view.drawing(() => {
    shares.clear();
    // rows are made anew: the one that has the keyboard keeps it
    const held = document.activeElement?.closest<HTMLElement>('.label')?.dataset.row;
    const made = (rows: readonly TrackRow[]) => rows.map(row => (row.kind === 'idle' ? idleLabel(view, row) : label(view, row, shares)));
    pinned.replaceChildren(...made(view.layout.rows.filter(row => row.pinned)));
    list.replaceChildren(...made(view.layout.rows.filter(row => !row.pinned)));
    pinned.style.height = `${view.layout.pinnedPx}px`;
    area.querySelector<HTMLElement>(`.label[data-row="${CSS.escape(held ?? '')}"] .fold`)?.focus();
  });
  const scroll = view.drawing(() => {
    list.style.transform = `translateY(${-view.state.scrollTop}px)`;
  });
  const fill = view.drawing(() => drawShares(view, shares));
  // on what stays: rows are made anew while one is dragged
  onDrag(area, down => rowDrag(view, area, down));
  return {
    element: area,
    draw() {
      const made = rebuild();
      scroll();
      fill(made);
    },
  };
}

function label(view: View, row: TrackRow, shares: Map<TrackRow, HTMLElement>): HTMLElement {
  const share = element('span.share');
  const of = view.state.stack.length > 1 ? profileOf(view.state.stack, row.profile) : null;
  shares.set(row, share);
  const fold = element(
    `button.fold.${row.kind}` as 'button',
    {
      type: 'button',
      'aria-expanded': String(!row.collapsed),
      title: `${row.name}${of ? ` (${of.title})` : ''}: ${plural(row.events, 'event')}. Click to fold (Enter), P pins, H hides, drag to move.`,
    },
    icon('chevron'),
    of && profileMark(of.number),
    element('span.name', {}, row.label),
    of && element('span.unseen', {}, ` of ${letterOf(of.number)}, ${of.title}`),
  );
  const made = element(
    `div.label.${row.kind}` as 'div',
    { 'data-row': row.name },
    fold,
    action('pin', `${row.pinned ? 'Unpin' : 'Pin'} ${row.name} (P)`, row.pinned, () => toggleRow(view, 'pinned', row.name)),
    action('hide', `Hide ${row.name} (H)`, false, () => hideRow(view, row.name)),
    share,
    element('div.rowEdge', { title: 'Drag to resize; double-click for the usual height' }),
  );
  made.querySelector('.rowEdge')!.addEventListener('dblclick', () => scaleRow(view, row.name, 1));
  // a press of the keyboard has no pointer
  fold.addEventListener('click', event => event.detail === 0 && toggleRow(view, 'collapsed', row.name));
  fold.addEventListener('keydown', event => onRowKey(view, row, event));
  return placed(made, row);
}

/** Stands for the rows without events: a press shows them in their places. */
function idleLabel(view: View, row: TrackRow): HTMLElement {
  const { idleRows } = view.state;
  const title = idleRows ? 'Fold away the rows without events' : 'Show the rows without events';
  const fold = element(
    'button.fold',
    { type: 'button', 'aria-expanded': String(idleRows), title },
    icon('chevron'),
    element('span.name', {}, row.label),
  );
  fold.addEventListener('click', () => toggleIdleRows(view));
  return placed(element('div.label.idle', { 'data-row': row.name }, fold), row);
}

function placed(label: HTMLElement, { topPx, heightPx }: TrackRow): HTMLElement {
  label.style.top = `${topPx}px`;
  label.style.height = `${heightPx}px`;
  return label;
}

function action(name: IconName, title: string, on: boolean, act: () => void): HTMLElement {
  // by keyboard the row itself has the keys: it is one stop of Tab
  const made = element(
    'button.rowAction',
    { type: 'button', tabindex: -1, title, 'aria-label': title, 'aria-pressed': String(on) },
    icon(name),
  );
  made.addEventListener('click', act);
  return made;
}

/** P and H are of the row that has the keyboard, wherever the pointer is. */
function onRowKey(view: View, { name }: TrackRow, event: KeyboardEvent) {
  const act = { p: () => toggleRow(view, 'pinned', name), h: () => hideRow(view, name) }[keyName(event)];
  if (!act) return;
  event.stopPropagation();
  act();
}

/** The lower edge resizes; the name folds when it is only pressed, and moves when it is dragged. */
function rowDrag(view: View, area: HTMLElement, down: PointerEvent): Drag | null {
  const target = down.target as HTMLElement;
  const made = target.closest<HTMLElement>('.label');
  const row = view.layout.rows.find(({ name }) => name === made?.dataset.row);
  if (!made || !row || row.kind === 'idle') return null;
  if (target.closest('.rowEdge')) return resizeDrag(view, row);
  return target.closest('.fold') ? moveDrag(view, area, made, row) : null;
}

function resizeDrag(view: View, { name, heightPx }: TrackRow): Drag {
  const began = view.state.rowScale[name] ?? 1;
  return { move: (_, __, dyPx) => scaleRow(view, name, (began * (heightPx + dyPx)) / heightPx), end: () => {} };
}

function moveDrag(view: View, area: HTMLElement, made: HTMLElement, row: TrackRow): Drag {
  return {
    move(_, __, dyPx) {
      made.classList.add('moving');
      made.style.transform = `translateY(${dyPx}px)`;
    },
    end(event, moved) {
      made.classList.remove('moving');
      made.style.transform = '';
      if (moved) dropRow(view, row, event.clientY - area.getBoundingClientRect().top);
      else toggleRow(view, 'collapsed', row.name);
    },
    cancel() {
      made.classList.remove('moving');
      made.style.transform = '';
    },
  };
}

/** Upwards: before the row that it lies on; downwards: behind it; below all: last. */
function dropRow(view: View, row: TrackRow, yPx: number) {
  const { layout, state } = view;
  const target = rowAt(layout, yPx, state.scrollTop);
  if (target?.name === row.name) return;
  const up = target !== null && target.topPx < row.topPx;
  const after = target && layout.rows[layout.rows.indexOf(target) + 1];
  moveRow(view, row.name, up ? target.name : (after?.name ?? null));
}

/** Of more rows, as those of many ranks, only those in sight are filled in each frame. */
const MOST_UNSEEN = 64;

const inSight = ({ layout, state }: View) => rowsBetween(layout, 0, state.heightPx, state.scrollTop);

function drawShares(view: View, shares: Map<TrackRow, HTMLElement>) {
  const busyOf = busyRows(view);
  const visibleNs = spanNs(view.state.span);
  const seen = shares.size > MOST_UNSEEN ? new Set(inSight(view)) : null;
  for (const [row, place] of shares) {
    if (seen && !seen.has(row)) continue;
    if (row.kind === 'finding') {
      place.textContent = countText(row.events);
      place.title = plural(row.events, 'finding');
      continue;
    }
    const [busyNs, baseNs] = [busyOf(row), baseBusyNs(view, row, busyOf)];
    const delta = baseNs === null ? '' : shareText(baseNs, busyNs);
    place.replaceChildren(
      ...(row.collapsed ? [] : [element('span.delta', {}, delta), element('span.busy', {}, percentText(busyNs / visibleNs))]),
    );
    const against =
      baseNs === null ? '' : ` ${letterOf(view.state.stack[0].number)}: ${timeText(baseNs)}, so ${differenceText(baseNs, busyNs)}.`;
    place.title = `Busy ${timeText(busyNs)} of the visible ${timeText(visibleNs)}.${against} Waiting for a semaphore is not busy.`;
  }
}

/** How long rows were busy in the visible time, each worked out once. */
function busyRows(view: View): (row: TrackRow) => number {
  const known = new Map<TrackRow, number>();
  return row => {
    let busyNs = known.get(row);
    if (busyNs === undefined) {
      const { startNs, endNs } = view.viewport(row);
      busyNs = profileOf(view.state.stack, row.profile)?.model.analysis.active(row.lanes).withinNs(startNs, endNs) ?? 0;
      known.set(row, busyNs);
    }
    return busyNs;
  };
}

/** Of the row that it is compared with: the base's of the same track. null where there is none in sight, and of the base itself. */
function baseBusyNs(
  { state: { stack }, layout }: View,
  { profile, label: track }: TrackRow,
  busyOf: (row: TrackRow) => number,
): number | null {
  const base = stack.length > 0 ? baseOf(stack).number : undefined;
  const row = profile === base ? undefined : layout.rows.find(other => other.profile === base && other.label === track);
  return row ? busyOf(row) : null;
}
