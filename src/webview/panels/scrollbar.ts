/** A thin bar at the right of the rows while they do not all fit. */

import { scrollBy } from '../actions/navigation';
import { onDrag } from '../dom/drag';
import { element } from '../dom/element';
import type { Panel, View } from '../view/view';

const LEAST_PX = 24;

export function scrollbar(view: View): Panel {
  const thumb = element('div.thumb');
  const thumbPx = () => Math.max(LEAST_PX, (view.state.heightPx / view.layout.heightPx) * view.state.heightPx);
  onDrag(thumb, down => {
    down.stopPropagation();
    const began = view.state.scrollTop;
    const perPx = (view.layout.heightPx - view.state.heightPx) / Math.max(1, view.state.heightPx - thumbPx());
    return { move: (_, __, dyPx) => scrollBy(view, began + dyPx * perPx - view.state.scrollTop), end: () => {} };
  });
  return {
    element: thumb,
    draw: view.drawing(() => {
      const hidden = view.layout.heightPx <= view.state.heightPx + 1;
      thumb.hidden = hidden;
      if (hidden) return;
      const share = view.state.scrollTop / (view.layout.heightPx - view.state.heightPx);
      thumb.style.height = `${thumbPx()}px`;
      thumb.style.transform = `translateY(${share * (view.state.heightPx - thumbPx())}px)`;
    }),
  };
}
