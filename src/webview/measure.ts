/**
 * The page and the state, before the panels draw: what the style sheets need of the state goes to the page, and what only the page knows
 * comes from it: colours, and where the drawing area is and how large.
 */
import { readTheme } from './themeSource';
import type { Layout } from './tracks/layout';
import type { View } from './view/view';

const LEAST_NAMES_PX = 140;
const MOST_NAMES_PX = 264;
const CHARACTER_PX = 8;
/** Margins, and `100 %`. */
const BESIDE_NAME_PX = 58;
/** A profile's mark, and `+12 %`. */
const BESIDE_STACKED_PX = 78;

/** Axis and overview: above the rows, in the stage. */
const ABOVE_ROWS_PX = 71;

/** @param sharing parts that share the height: the stage, the counters, the drawer @returns what does it, in each frame */
export function measuring(view: View, root: HTMLElement, area: HTMLElement, sharing: readonly HTMLElement[]): () => void {
  const { store } = view;
  const drawings = [
    view.drawing(() => {
      document.body.dataset.palette = view.state.palette;
      store.update({ theme: readTheme() });
    }),
    view.drawing(() => root.classList.toggle('detailsOpen', view.state.detailsOpen)),
    view.drawing(() => root.style.setProperty('--content', `${view.layout.heightPx}px`)),
  ];
  const scrolled = view.drawing(() => {
    const mostPx = Math.max(0, view.layout.heightPx - view.state.heightPx);
    if (view.model && store.state.scrollTop > mostPx) store.update({ scrollTop: mostPx });
  });
  return () => {
    for (const drawing of drawings) drawing();
    // of the page's own width, which no state knows
    const widestPx = Math.round(root.clientWidth * 0.4);
    root.style.setProperty('--labels', `${Math.min(store.state.labelsPx || namesPx(view.layout), widestPx)}px`);
    const [widthPx, heightPx] = [Math.max(1, area.clientWidth), Math.max(1, area.clientHeight)];
    const { left: leftPx, top: topPx } = area.getBoundingClientRect();
    const roomPx = sharing.reduce((sum, part) => sum + part.offsetHeight, 0) - ABOVE_ROWS_PX;
    store.update({ leftPx, topPx, widthPx, heightPx, roomPx, pixelRatio: window.devicePixelRatio || 1 });
    scrolled();
  };
}

/** About what the longest name needs, with the share beside it. */
function namesPx({ rows, heads }: Layout): number {
  const longest = rows.reduce((most, { label }) => Math.max(most, label.length), 0);
  const besidePx = BESIDE_NAME_PX + (heads.length > 0 ? BESIDE_STACKED_PX : 0);
  return Math.max(LEAST_NAMES_PX, Math.min(MOST_NAMES_PX, besidePx + longest * CHARACTER_PX));
}
