/** What panels share and the store does not hold, brought up to date before they draw: rows, colours, sizes, limits. */
import { limitsOf } from './state/comparing';
import { type Change, changedAny, type View } from './state/view';
import { colouring } from './tracks/colouring';
import { type Layout, layOutRows } from './tracks/layout';
import { shownRows } from './tracks/rows';

const LAYOUT: readonly Change[] = ['model', 'other', 'collapsed', 'hidden', 'pinned', 'rowOrder', 'rowScale', 'dmaRows'];

const LEAST_NAMES_PX = 140;
const MOST_NAMES_PX = 264;
const CHARACTER_PX = 8;
/** Margins, and `100 %`. */
const BESIDE_NAME_PX = 58;

/** Adds `size` to `changed` when the drawing area has another one. */
export function derive(view: View, changed: Set<Change>, root: HTMLElement, area: HTMLElement): void {
  const { model, other, store } = view;
  const { colourBy, labelsPx, detailsOpen, palette } = store.state;
  root.classList.toggle('detailsOpen', detailsOpen);
  document.body.dataset.palette = palette;
  if (model && changedAny(changed, LAYOUT)) {
    view.limits = limitsOf(model, other);
    view.layout = layOutRows(shownRows(model, other?.model ?? null, store.state), store.state);
    root.style.setProperty('--content', `${view.layout.heightPx}px`);
    const most = Math.max(0, view.layout.heightPx - area.clientHeight);
    if (changed.has('hidden') && store.state.scrollTop > most) store.update({ scrollTop: most });
  }
  root.style.setProperty('--labels', `${Math.min(labelsPx || namesPx(view.layout), Math.round(root.clientWidth * 0.4))}px`);
  if (model && changedAny(changed, ['model', 'colourBy'])) view.colouring = colouring(model.profile, colourBy);
  if (other && changedAny(changed, ['colourBy'])) view.other = { ...other, colouring: colouring(other.model.profile, colourBy) };
  measure(view, changed, area);
}

/** About what the longest name needs, with the share beside it. */
function namesPx({ rows }: Layout): number {
  const longest = rows.reduce((most, { name }) => Math.max(most, name.length), 0);
  return Math.max(LEAST_NAMES_PX, Math.min(MOST_NAMES_PX, BESIDE_NAME_PX + longest * CHARACTER_PX));
}

function measure(view: View, changed: Set<Change>, area: HTMLElement) {
  const [widthPx, heightPx] = [Math.max(1, area.clientWidth), Math.max(1, area.clientHeight)];
  if (widthPx !== view.widthPx || heightPx !== view.heightPx) changed.add('size');
  view.widthPx = widthPx;
  view.heightPx = heightPx;
}
