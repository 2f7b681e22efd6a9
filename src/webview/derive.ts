/** What panels share and the store does not hold, brought up to date before they draw: rows, colours, sizes, limits. */
import { limitsOf } from './state/comparing';
import { type Change, changedAny, type View } from './state/view';
import { colouring } from './tracks/colouring';
import { layOutRows } from './tracks/layout';
import { shownRows } from './tracks/rows';

const LAYOUT: readonly Change[] = ['model', 'other', 'collapsed', 'hidden', 'pinned', 'rowOrder', 'rowScale', 'dmaRows'];

/** Adds `size` to `changed` when the drawing area has another one. */
export function derive(view: View, changed: Set<Change>, root: HTMLElement, area: HTMLElement): void {
  const { model, other, store } = view;
  const { colourBy, labelsPx, detailsOpen, palette } = store.state;
  root.style.setProperty('--labels', `${Math.min(labelsPx, Math.round(root.clientWidth * 0.4))}px`);
  root.classList.toggle('detailsOpen', detailsOpen);
  document.body.dataset.palette = palette;
  if (model && changedAny(changed, LAYOUT)) {
    view.limits = limitsOf(model, other);
    view.layout = layOutRows(shownRows(model, other?.model ?? null, store.state), store.state);
    root.style.setProperty('--content', `${view.layout.heightPx}px`);
    const most = Math.max(0, view.layout.heightPx - area.clientHeight);
    if (changed.has('hidden') && store.state.scrollTop > most) store.update({ scrollTop: most });
  }
  if (model && changedAny(changed, ['model', 'colourBy'])) view.colouring = colouring(model.profile, colourBy);
  if (other && changedAny(changed, ['colourBy'])) view.other = { ...other, colouring: colouring(other.model.profile, colourBy) };
  measure(view, changed, area);
}

function measure(view: View, changed: Set<Change>, area: HTMLElement) {
  const [widthPx, heightPx] = [Math.max(1, area.clientWidth), Math.max(1, area.clientHeight)];
  if (widthPx !== view.widthPx || heightPx !== view.heightPx) changed.add('size');
  view.widthPx = widthPx;
  view.heightPx = heightPx;
}
