/** Mouse, trackpad and pen over the tracks and the axis -> actions. Draws nothing. */

import { collectiveOf } from '../../simulator/analyze/collectives';
import { selectDragged } from '../actions/boxSelection';
import { chooseCollective } from '../actions/collectives';
import { dropMarker, dropMoved, markerAt, moveMarker } from '../actions/markers';
import { panBy, panByPx, scrollBy, timeAtPx, zoomBy, zoomInto, zoomToEvent } from '../actions/navigation';
import { select } from '../actions/selection';
import { describeShort } from '../data/describe';
import { eventPosition } from '../data/model';
import { areRanks, OWN, profileOf } from '../data/stack';
import { type Drag, onDrag } from '../dom/drag';
import { pxToTime, spanNs } from '../math/timeSpan';
import type { Hit } from '../tracks/hit';
import type { View } from '../view/view';

/** A wheel notch (100 px in most browsers) zooms by about a fifth; a trackpad pinch sends small, frequent steps. */
const ZOOM_PER_PX = 0.002;
const PINCH_PER_PX = 0.01;
const LINE_PX = 16;

export function listenToGestures(view: View, area: HTMLElement, axis: HTMLElement): void {
  onDrag(area, down => (down.shiftKey ? panDrag(view) : rangeDrag(view, down, area)));
  onDrag(axis, down => {
    const marker = markerAt(view, xOf(view, down));
    return marker === null ? panDrag(view) : markerDrag(view, marker);
  });
  for (const element of [area, axis]) {
    listenToWheel(view, element);
    trackPointer(view, element, element === area);
    element.addEventListener('contextmenu', event => {
      event.preventDefault();
      dropMarker(view, xOf(view, event));
    });
  }
  area.addEventListener('dblclick', () => view.hit?.row.profile === OWN && zoomToEvent(view, view.hit.event));
}

/** From the left of the rows: axis and counters lie right above and below them. */
const xOf = ({ store }: View, { clientX }: MouseEvent) => clientX - store.state.leftPx;
/** From the top of the rows. */
const yOf = ({ store }: View, { clientY }: MouseEvent) => clientY - store.state.topPx;

export function trackPointer(view: View, element: HTMLElement, overRows: boolean): void {
  element.addEventListener('pointermove', event => {
    view.store.update({ pointer: { xPx: xOf(view, event), yPx: overRows ? yOf(view, event) : null } });
  });
  element.addEventListener('pointerleave', () => view.store.update({ pointer: null }));
}

export function listenToWheel(view: View, element: HTMLElement): void {
  element.addEventListener(
    'wheel',
    event => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      if (event.ctrlKey || event.metaKey) zoomAt(view, xOf(view, event), dy, Math.abs(dy) < 30 ? PINCH_PER_PX : ZOOM_PER_PX);
      else if (event.shiftKey) panByPx(view, dx || dy);
      else if (Math.abs(dx) > Math.abs(dy)) panByPx(view, dx);
      else scrollBy(view, dy);
    },
    { passive: false },
  );
}

function zoomAt(view: View, xPx: number, dyPx: number, perPx: number) {
  zoomBy(view, Math.exp(-dyPx * perPx), pxToTime(xPx, view.target, view.state.widthPx), false);
}

export function panDrag(view: View): Drag {
  const began = view.state.span;
  const perPx = spanNs(began) / view.state.widthPx;
  return {
    move: (_, dxPx) => panBy(view, began.startNs - dxPx * perPx - view.state.span.startNs, false),
    end: () => {},
  };
}

function markerDrag(view: View, marker: number): Drag {
  const before = view.store.state.markers;
  view.store.update({ marker });
  return {
    move: event => moveMarker(view, marker, xOf(view, event)),
    end: (event, moved) => moved && dropMoved(view, marker, xOf(view, event), before),
  };
}

/** Zooms to the dragged time, or selects the dragged box. A setting chooses between the two; Alt does the other one. */
function rangeDrag(view: View, down: PointerEvent, area: HTMLElement): Drag {
  const [downPx, downYPx] = [xOf(view, down), yOf(view, down)];
  const framing = (view.state.dragMode === 'box') !== down.altKey;
  const fromNs = timeAtPx(view, downPx);
  const at = (dxPx: number) => timeAtPx(view, Math.max(0, Math.min(view.state.widthPx, downPx + dxPx)));
  return {
    move(_, dxPx, dyPx) {
      const rowsPx = framing ? { fromPx: downYPx, toPx: Math.max(0, Math.min(view.state.heightPx, downYPx + dyPx)) } : null;
      view.store.update({ band: { fromNs, toNs: at(dxPx), rowsPx } });
    },
    end(event, moved) {
      const { band } = view.state;
      view.store.update({ band: null });
      if (!moved) click(view, event.ctrlKey || event.metaKey);
      else if (band && event.type === 'pointerup') {
        if (band.rowsPx) selectDragged(view, band);
        else zoomInto(view, band.fromNs, band.toNs);
      }
      area.focus({ preventScroll: true });
    },
    cancel: () => view.store.update({ band: null }),
  };
}

/** Shows the line of what is under the pointer and selects it; on nothing, clears the selection. `go`: the editor gets the keyboard. */
function click(view: View, go: boolean) {
  if (view.hit && view.hit.row.profile !== OWN) return openOfOther(view, view.hit, go);
  const event = view.hit?.event ?? null;
  if (view.model && event !== null) view.openSource(eventPosition(view.model, event), go);
  // Drawn a frame later: where page and editor share a thread, the line is shown first.
  requestAnimationFrame(() => select(view, event));
}

/**
 * Details and selection belong to the page's own profile. For another profile, opens the line and names the event; a collective of another
 * rank is also the own rank's.
 */
function openOfOther(view: View, { row, event }: Hit, go: boolean) {
  const other = profileOf(view.state.stack, row.profile);
  if (!other) return;
  view.openSource(eventPosition(other.model, event), go);
  const collective = collectiveOf(other.model.profile, event);
  if (collective && areRanks(view.state.stack)) chooseCollective(view, collective.number);
  view.announce(`${other.title}: ${describeShort(other.model, event)}`);
}
