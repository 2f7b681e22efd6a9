/** User actions on rows: fold, pin, hide, move, resize. Rows are identified by name, so that settings survive a new run. */

import { OWN } from '../data/stack';
import { LEAST_SCALE, MOST_SCALE } from '../state/settings';
import { rowAt, type TrackRow } from '../tracks/layout';
import type { View } from '../view/view';

type NameList = 'collapsed' | 'hidden' | 'pinned';

export function toggleRow(view: View, list: NameList, name: string, on = !view.state[list].includes(name)): void {
  const others = view.state[list].filter(other => other !== name);
  view.store.update({ [list]: on ? [...others, name] : others });
}

/** The row under the pointer, else the selected event's; never the line that stands for idle rows. */
export function currentRow(view: View): TrackRow | null {
  const { pointer, scrollTop, selected } = view.state;
  if (pointer?.yPx != null) {
    const row = rowAt(view.layout, pointer.yPx, scrollTop);
    return row?.kind === 'idle' ? null : row;
  }
  const hit = selected !== null && view.model ? view.model.profile : null;
  if (!hit || selected === null) return null;
  const rows = hit.instructions.track.length;
  const track = selected < rows ? hit.instructions.track[selected] : hit.transfers.track[selected - rows];
  return view.layout.rows.find(row => row.profile === OWN && row.track === track) ?? null;
}

export function pinCurrent(view: View): void {
  const row = currentRow(view);
  if (!row) {
    view.announce('Point at a row, or select an event, to pin its row.');
    return;
  }
  toggleRow(view, 'pinned', row.name);
  view.announce(`${row.name} ${row.pinned ? 'unpinned' : 'pinned'}`);
}

/** Rows without events: in their places, or folded into one line. */
export function toggleIdleRows(view: View): void {
  view.store.update({ idleRows: !view.state.idleRows });
}

export function hideCurrent(view: View): void {
  const row = currentRow(view);
  if (row) hideRow(view, row.name);
}

export function hideRow(view: View, name: string): void {
  toggleRow(view, 'hidden', name, true);
  view.announce(`${name} hidden. Press T to show it again.`);
}

/** Puts a row before another; at the end without one. */
export function moveRow(view: View, name: string, before: string | null): void {
  const names = view.layout.rows
    .filter(row => row.kind !== 'idle')
    .map(row => row.name)
    .filter(other => other !== name);
  const at = before === null || !names.includes(before) ? names.length : names.indexOf(before);
  view.store.update({ rowOrder: [...names.slice(0, at), name, ...names.slice(at)] });
}

/** One place up (-1) or down (1) in its profile. */
export function shiftRow(view: View, name: string, by: 1 | -1): void {
  const { rows } = view.layout;
  const profile = rows.find(row => row.name === name)?.profile;
  const names = rows.filter(row => row.profile === profile && row.kind !== 'idle').map(row => row.name);
  const at = names.indexOf(name);
  const to = at + by;
  if (at < 0 || to < 0 || to >= names.length) return;
  moveRow(view, name, names[by > 0 ? to + 1 : to] ?? null);
  view.announce(`${name} is row ${to + 1} of ${names.length}`);
}

/** Sets a row's height relative to the default. */
export function scaleRow(view: View, name: string, scale: number): void {
  const { rowScale } = view.state;
  view.store.update({ rowScale: { ...rowScale, [name]: Math.max(LEAST_SCALE, Math.min(MOST_SCALE, scale)) } });
}

/** Every row in its usual place and height, none hidden. */
export function resetRows(view: View): void {
  view.store.update({ collapsed: [], hidden: [], pinned: [], rowOrder: [], rowScale: {}, idleRows: false });
}

/** Shows only rows with events or, with a filter, rows whose name contains it. The others are hidden. */
export function showOnly(view: View, keep: (row: { name: string; events: number }) => boolean): void {
  view.store.update({ hidden: view.everyRow.filter(row => !keep(row)).map(row => row.name) });
}
