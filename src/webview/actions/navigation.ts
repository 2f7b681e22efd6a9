/** Every way the visible span moves. */

import { placeOf } from '../../simulator/profile/lanes';
import { eventSpan } from '../data/model';
import { OWN } from '../data/stack';
import { clampSpan, panSpan, pxToTime, sameSpan, spanAround, spanNs, type TimeSpan, zoomSpan } from '../math/timeSpan';
import { motion } from '../state/motion';
import { HEAD_PX, laneTopPx } from '../tracks/layout';
import type { View } from '../view/view';

const KEY_ZOOM = 1.6;
const KEY_PAN = 0.2;
/** Seeing one event: it takes this share of the width, the rest is its surroundings. */
const FOCUS_AIR = 0.75;

/** Moves the visible span, at once or in a short animation. */
export function moveTo({ store, state }: View, span: TimeSpan, animated: boolean): void {
  const still = !animated || spanNs(span) <= 0 || matchMedia('(prefers-reduced-motion: reduce)').matches;
  store.update(still ? { span, motion: null } : { motion: motion(state.span, span) });
}

/** `anchorNs`: the time that stays in place: that of the pointer, else the middle. */
export function zoomBy(view: View, factor: number, anchorNs: number | null, animated: boolean): void {
  if (!view.model) return;
  const span = view.target;
  moveTo(view, zoomSpan(span, factor, anchorNs ?? (span.startNs + span.endNs) / 2, view.limits), animated);
}

const pointerTime = (view: View) => {
  const { pointer } = view.state;
  return pointer && pxToTime(pointer.xPx, view.target, view.state.widthPx);
};
export const zoomIn = (view: View) => zoomBy(view, KEY_ZOOM, pointerTime(view), true);
export const zoomOut = (view: View) => zoomBy(view, 1 / KEY_ZOOM, pointerTime(view), true);

export function panBy(view: View, byNs: number, animated: boolean): void {
  if (view.model) moveTo(view, panSpan(view.target, byNs, view.limits), animated);
}

export const panByPx = (view: View, px: number) => panBy(view, (px / view.state.widthPx) * spanNs(view.state.span), false);
export const panLeft = (view: View) => panBy(view, -KEY_PAN * spanNs(view.target), true);
export const panRight = (view: View) => panBy(view, KEY_PAN * spanNs(view.target), true);

/** The whole run; again, where it is already shown: the kernel's body. */
export function fit(view: View): void {
  if (view.model) moveTo(view, sameSpan(view.target, view.limits) ? view.model.bodySpan : view.limits, true);
}

/** Zooms to the span between two view positions, after a drag on the tracks. */
export function zoomInto(view: View, fromNs: number, toNs: number): void {
  if (!view.model) return;
  const span = { startNs: Math.min(fromNs, toNs), endNs: Math.max(fromNs, toNs) };
  moveTo(view, spanAround(span, view.limits, 0), true);
}

export function zoomToEvent(view: View, event: number): void {
  if (!view.model) return;
  moveTo(view, spanAround(eventSpan(view.model, event), view.limits, FOCUS_AIR), true);
  scrollToEvent(view, event);
}

/** F focuses; F again, where it already is, shows the whole run. */
export function focusSelection(view: View): void {
  const { selected } = view.state;
  if (selected === null || !view.model) {
    fit(view);
    return;
  }
  const focus = spanAround(eventSpan(view.model, selected), view.limits, FOCUS_AIR);
  const there = Math.abs(view.target.startNs - focus.startNs) < spanNs(focus) * 1e-6 && spanNs(view.target) === spanNs(focus);
  if (there) fit(view);
  else zoomToEvent(view, selected);
}

/** Brings an event into view without changing the zoom, unless it would not be visible. */
export function reveal(view: View, event: number): void {
  if (!view.model) return;
  const span = view.target;
  const { startNs, endNs } = eventSpan(view.model, event);
  const inside = startNs >= span.startNs && endNs <= span.endNs;
  const covers = startNs <= span.startNs && endNs >= span.endNs;
  if (!inside && !covers) {
    const middle = (startNs + endNs) / 2 - spanNs(span) / 2;
    moveTo(view, panSpan(span, middle - span.startNs, view.limits), true);
  }
  scrollToEvent(view, event);
}

/** Shows a span of time with some space around it. */
export function showSpan(view: View, of: TimeSpan): void {
  if (view.model) moveTo(view, spanAround(of, view.limits, 0.1), true);
}

/** A hundredth of the whole, with the moment in its middle. */
export function showMoment(view: View, timeNs: number): void {
  const halfNs = (view.limits.endNs - view.limits.startNs) / 200;
  showSpan(view, { startNs: timeNs - halfNs, endNs: timeNs + halfNs });
}

/** Shows a span, or a point in the middle of a span of the current width. */
export function showTimes(view: View, { startNs, endNs }: { startNs: number; endNs: number | null }): void {
  if (!view.model) return;
  const width = spanNs(view.target);
  moveTo(
    view,
    clampSpan(endNs === null ? { startNs: startNs - width / 2, endNs: startNs + width / 2 } : { startNs, endNs }, view.limits),
    true,
  );
}

export function scrollBy(view: View, px: number): void {
  const most = Math.max(0, view.layout.heightPx - view.state.heightPx);
  view.store.update({ scrollTop: Math.max(0, Math.min(most, view.state.scrollTop + px)) });
}

function scrollToEvent(view: View, event: number) {
  const place = view.model && placeOf(view.model.tracks, view.model.profile, event);
  const row = place && view.layout.rows.find(r => r.profile === OWN && r.track === place.track);
  if (!row) return;
  if (row.pinned) return;
  const { scrollTop } = view.state;
  const topPx = laneTopPx(row, place.lane, 0);
  const { heads } = view.layout;
  const pinnedPx = view.layout.pinnedPx + (heads.length > 0 ? HEAD_PX : 0);
  if (topPx < scrollTop + pinnedPx) scrollBy(view, topPx - scrollTop - pinnedPx - 8);
  else if (topPx + row.lanePx > scrollTop + view.state.heightPx) scrollBy(view, topPx + row.lanePx - scrollTop - view.state.heightPx + 8);
}

export const timeAtPx = (view: View, px: number) => pxToTime(px, view.state.span, view.state.widthPx);
