/** What panels share and the store does not hold, brought up to date before they draw: rows, colours, sizes, limits. */
import { recoloured } from './stack/colours';
import { headed, limitsOf } from './stack/profiles';
import { type Change, changedAny, type View } from './state/view';
import { type Layout, layOutRows } from './tracks/layout';
import { shownRows } from './tracks/rows';

const LAYOUT: readonly Change[] = ['model', 'stack', 'foldedProfiles', 'collapsed', 'hidden', 'pinned', 'rowOrder', 'rowScale', 'dmaRows'];

const LEAST_NAMES_PX = 140;
const MOST_NAMES_PX = 264;
const CHARACTER_PX = 8;
/** Margins, and `100 %`. */
const BESIDE_NAME_PX = 58;
/** A profile's mark, and `+12 %`. */
const BESIDE_STACKED_PX = 78;

/** Adds `size` to `changed` when the drawing area has another one. */
export function derive(view: View, changed: Set<Change>, root: HTMLElement, area: HTMLElement): void {
  const { model, store } = view;
  const { colourBy, labelsPx, detailsOpen, palette } = store.state;
  root.classList.toggle('detailsOpen', detailsOpen);
  document.body.dataset.palette = palette;
  if (model && changedAny(changed, LAYOUT)) {
    view.limits = limitsOf(view.stack);
    view.layout = layOutRows(shownRows(view.stack, store.state), store.state, headed(view.stack));
    root.style.setProperty('--content', `${view.layout.heightPx}px`);
    const most = Math.max(0, view.layout.heightPx - area.clientHeight);
    if (changed.has('hidden') && store.state.scrollTop > most) store.update({ scrollTop: most });
  }
  root.style.setProperty('--labels', `${Math.min(labelsPx || namesPx(view.layout), Math.round(root.clientWidth * 0.4))}px`);
  if (changed.has('colourBy')) view.stack = recoloured(view.stack, colourBy);
  measure(view, changed, area);
}

/** About what the longest name needs, with the share beside it. */
function namesPx({ rows, heads }: Layout): number {
  const longest = rows.reduce((most, { label }) => Math.max(most, label.length), 0);
  const besidePx = BESIDE_NAME_PX + (heads.length > 0 ? BESIDE_STACKED_PX : 0);
  return Math.max(LEAST_NAMES_PX, Math.min(MOST_NAMES_PX, besidePx + longest * CHARACTER_PX));
}

function measure(view: View, changed: Set<Change>, area: HTMLElement) {
  const [widthPx, heightPx] = [Math.max(1, area.clientWidth), Math.max(1, area.clientHeight)];
  if (widthPx !== view.widthPx || heightPx !== view.heightPx) changed.add('size');
  view.widthPx = widthPx;
  view.heightPx = heightPx;
}
