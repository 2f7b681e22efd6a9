/** The grip between the names and the rows. */
import { onDrag } from '../dom/drag';
import { element } from '../dom/element';
import type { View } from '../view/view';

const LEAST_PX = 56;
const MOST_PX = 360;

export function resizer(view: View): HTMLElement {
  const grip = element('div.resizer', { title: 'Drag to resize' });
  onDrag(grip, () => {
    const began = grip.offsetLeft + grip.offsetWidth / 2;
    return {
      move: (_, dxPx) => view.store.update({ labelsPx: Math.max(LEAST_PX, Math.min(MOST_PX, began + dxPx)) }),
      end: () => {},
    };
  });
  return grip;
}
