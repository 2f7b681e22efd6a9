/** A thin bar at the right of the rows while they do not all fit. */
import { onDrag } from '../input/drag';
import { scrollBy } from '../state/navigation';
import type { Panel, View } from '../state/view';
import { element } from './dom';

const LEAST_PX = 24;

export function scrollbar(view: View): Panel {
  const thumb = element('div.thumb');
  const thumbPx = () => Math.max(LEAST_PX, (view.heightPx / view.layout.heightPx) * view.heightPx);
  onDrag(thumb, down => {
    down.stopPropagation();
    const began = view.store.state.scrollTop;
    const perPx = (view.layout.heightPx - view.heightPx) / Math.max(1, view.heightPx - thumbPx());
    return { move: (_, __, dyPx) => scrollBy(view, began + dyPx * perPx - view.store.state.scrollTop), end: () => {} };
  });
  return {
    element: thumb,
    draw() {
      const hidden = view.layout.heightPx <= view.heightPx + 1;
      thumb.hidden = hidden;
      if (hidden) return;
      const share = view.store.state.scrollTop / (view.layout.heightPx - view.heightPx);
      thumb.style.height = `${thumbPx()}px`;
      thumb.style.transform = `translateY(${share * (view.heightPx - thumbPx())}px)`;
    },
  };
}
