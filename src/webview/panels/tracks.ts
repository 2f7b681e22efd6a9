/** The rows themselves: canvases for bars and overlay, the axis above, a scrollbar, and the gestures over them. */

import { element } from '../dom/element';
import { listenToGestures } from '../input/gestures';
import type { Scene } from '../tracks/scene';
import type { Panel, View } from '../view/view';
import { Painter } from './painter';
import { scrollbar } from './scrollbar';

export interface TracksPanel extends Panel {
  axis: HTMLElement;
  scene: Scene;
}

export function tracks(view: View): TracksPanel {
  const over = element('canvas.layer');
  const axis = element('canvas.axis', { 'aria-hidden': 'true' });
  const area = element('div.tracks', {
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'timeline',
    'aria-label':
      'Timeline of engines and DMA queues. Full stop and comma step through events, question mark lists all keys. The Events tab below has the same as a table.',
  });
  const bar = scrollbar(view);
  area.append(over, bar.element);
  const painter = new Painter(view, area, over, axis);
  listenToGestures(view, area, axis);
  return {
    element: area,
    axis,
    scene: painter.scene,
    draw() {
      bar.draw();
      painter.draw();
    },
  };
}
