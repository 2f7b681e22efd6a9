/** The selected box: time x rows. By drag, from an event, or of all that is visible. */
import { eventValue } from '../../simulator/analyze/eventAccess';
import { timeText } from '../../simulator/analyze/format';
import { eventSpan } from '../data/model';
import { OWN } from '../data/stack';
import { plural } from '../math/units';
import type { BoxSelection, DragBand } from '../state/viewState';
import { rowsBetween } from '../tracks/layout';
import type { View } from '../view/view';

export function selectBox(view: View, box: BoxSelection): void {
  if (box.rows.length === 0 || box.endNs <= box.startNs) return;
  view.store.update({ box, tab: 'selection', detailsOpen: true });
  view.announce(`Selected ${timeText(box.endNs - box.startNs)} on ${plural(box.rows.length, 'row')}`);
}

/** Selects the box of a drag over the tracks. */
export function selectDragged(view: View, { fromNs, toNs, rowsPx }: DragBand): void {
  if (!rowsPx) return;
  const rows = rowsBetween(view.layout, rowsPx.fromPx, rowsPx.toPx, view.state.scrollTop).filter(row => row.profile === OWN);
  selectBox(view, { startNs: Math.min(fromNs, toNs), endNs: Math.max(fromNs, toNs), rows: rows.map(row => row.name) });
}

/** Selects all rows in the visible time; a second call selects all rows of the whole run. */
export function selectVisible(view: View): void {
  const { span, box } = view.state;
  const rows = view.layout.rows.filter(row => row.profile === OWN).map(row => row.name);
  const again = box !== null && box.startNs === span.startNs && box.endNs === span.endNs && box.rows.length === rows.length;
  selectBox(view, { ...(again ? view.limits : span), rows });
}

/** The selected event's time on its own row. */
export function boxOfEvent(view: View): void {
  const { selected } = view.state;
  if (!view.model || selected === null) return;
  const { profile } = view.model;
  selectBox(view, { ...eventSpan(view.model, selected), rows: [profile.tracks[eventValue(profile, selected, 'track')].name] });
}
