/** The rows themselves: axis, bars, overlay. Builds the scene once per change and hands it to the renderer; gestures are `input/gestures.ts`. */

import { timeText } from '../../simulator/analyze/format';
import { placeOf } from '../../simulator/profile/lanes';
import { Marks } from '../../simulator/profile/windowMarks';
import { blockerOf, eventLabel, eventSpan, type Model } from '../data/model';
import { listenToGestures } from '../input/gestures';
import { ticks } from '../math/ticks';
import { pxToTime, spanNs, timeToPx } from '../math/timeSpan';
import { instantText } from '../math/units';
import { AXIS_PX, drawAxis } from '../render/axis';
import { CanvasRenderer } from '../render/canvasRenderer';
import { TextFitter } from '../render/labels';
import { type Box, drawOverlay } from '../render/overlay';
import type { Theme } from '../render/theme';
import type { Changes, Panel, View } from '../state/view';
import { hitTest } from '../tracks/hit';
import { barPx, laneTopPx } from '../tracks/layout';
import { Scene } from '../tracks/scene';
import { context2d, element, sizeCanvas } from './dom';
import { scrollbar } from './scrollbar';

/** What changes the bars; anything else only redraws the overlay. */
const SCENE_KEYS = ['model', 'size', 'theme', 'span', 'scrollTop', 'collapsed', 'colourBy', 'found', 'marked'] as const;

export interface Tracks extends Panel {
  axis: HTMLElement;
  scene: Scene;
}

export function tracks(view: View, theme: () => Theme): Tracks {
  const bars = element('canvas.layer');
  const over = element('canvas.layer');
  const axis = element('canvas.axis', { 'aria-hidden': 'true' });
  const area = element('div.tracks', {
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'timeline',
    'aria-label': 'Timeline of engines and DMA queues. Full stop and comma step through events, question mark lists all keys.',
  });
  const bar = scrollbar(view);
  area.append(bars, over, bar.element);
  const painter = new Painter(view, theme, bars, over, axis);
  listenToGestures(view, area, axis);
  return {
    element: area,
    axis,
    scene: painter.scene,
    draw(changed) {
      bar.draw(changed);
      painter.draw(changed);
    },
  };
}

class Painter {
  readonly scene = new Scene();
  private readonly renderer: CanvasRenderer;
  private readonly overContext: CanvasRenderingContext2D;
  private readonly axisContext: CanvasRenderingContext2D;
  private readonly fitter: TextFitter;
  private readonly scratch = new Marks();

  constructor(
    private readonly view: View,
    private readonly theme: () => Theme,
    bars: HTMLCanvasElement,
    private readonly over: HTMLCanvasElement,
    private readonly axis: HTMLCanvasElement,
  ) {
    this.renderer = new CanvasRenderer(bars, context2d(bars, false), sizePx => {
      const tile = document.createElement('canvas');
      tile.width = sizePx;
      tile.height = sizePx;
      return tile;
    });
    this.overContext = context2d(over);
    this.axisContext = context2d(axis, false);
    this.fitter = new TextFitter(text => this.overContext.measureText(text).width);
    view.refreshHit = () => this.findHit();
  }

  draw(changed: Changes): void {
    const { model } = this.view;
    if (!model) return;
    if (changed.has('size')) this.resize();
    this.findHit();
    if (SCENE_KEYS.some(key => changed.has(key))) this.drawBars(model);
    this.drawAxis();
    this.drawOver(model);
  }

  private resize() {
    const { widthPx, heightPx } = this.view;
    this.renderer.resize(widthPx, heightPx, window.devicePixelRatio || 1);
    sizeCanvas(this.over, this.overContext, widthPx, heightPx);
    sizeCanvas(this.axis, this.axisContext, widthPx, AXIS_PX);
  }

  private findHit() {
    const { view } = this;
    const { pointer, span, scrollTop } = view.store.state;
    const viewport = { ...span, widthPx: view.widthPx };
    view.hit = pointer && pointer.yPx !== null ? hitTest(view.layout, viewport, pointer.xPx, pointer.yPx + scrollTop, this.scratch) : null;
  }

  private drawBars({ profile }: Model) {
    const { layout, widthPx, heightPx, mask, store, colouring } = this.view;
    const { span, scrollTop } = store.state;
    if (!colouring) return;
    const body = { startNs: profile.bodyStartNs, endNs: profile.bodyEndNs };
    this.scene.build({ layout, span, widthPx, heightPx, scrollTop, mask, colouring, body, ticks: ticks(span, widthPx) });
    this.renderer.clear(this.theme().background);
    this.renderer.rects(this.scene.rects, this.theme().styles);
  }

  private drawAxis() {
    const { widthPx, store } = this.view;
    const { span, pointer } = store.state;
    const cursorPx = pointer?.xPx ?? null;
    const cursorText = cursorPx === null ? '' : instantText(pxToTime(cursorPx, span, widthPx));
    const widthText = timeText(spanNs(span));
    drawAxis(this.axisContext, { span, ticks: ticks(span, widthPx), widthPx, widthText, cursorPx, cursorText }, this.theme());
  }

  private drawOver(model: Model) {
    const { widthPx, heightPx, store, hit } = this.view;
    const { selected, pointer, band, span } = store.state;
    const blocker = selected === null ? -1 : blockerOf(model, selected);
    drawOverlay(
      this.overContext,
      {
        widthPx,
        heightPx,
        labels: this.scene.labels,
        labelText: event => eventLabel(model, event),
        selected: selected === null ? null : this.boxOf(model, selected),
        selectedWait: selected === null ? null : this.waitBoxOf(model, selected),
        hovered: hit && hit.event !== selected ? this.boxOf(model, hit.event) : null,
        blocker: blocker < 0 ? null : this.boxOf(model, blocker),
        cursorPx: pointer?.xPx ?? null,
        band: band && {
          fromPx: timeToPx(band.fromNs, span, widthPx),
          toPx: timeToPx(band.toNs, span, widthPx),
          text: timeText(Math.abs(band.toNs - band.fromNs)),
        },
      },
      this.theme(),
      this.fitter,
    );
  }

  private boxOf(model: Model, event: number): Box | null {
    const { widthPx, store, layout } = this.view;
    const { span, scrollTop } = store.state;
    const place = placeOf(model.tracks, model.profile, event);
    const row = place && layout.rows.find(r => r.track === place.track);
    if (!place || !row) return null;
    const { startNs, endNs } = eventSpan(model, event);
    // far outside the view a canvas loses precision: cut a little beyond the edges
    const cut = (px: number) => Math.max(-1000, Math.min(widthPx + 1000, px));
    const left = cut(timeToPx(startNs, span, widthPx));
    const right = cut(timeToPx(endNs, span, widthPx));
    return { xPx: left, yPx: laneTopPx(row, place.lane) - scrollTop, widthPx: right - left, heightPx: barPx(row) };
  }

  private waitBoxOf(model: Model, event: number): Box | null {
    const box = this.boxOf(model, event);
    const place = placeOf(model.tracks, model.profile, event);
    if (!box || !place) return null;
    const leadNs = model.tracks[place.track].lanes[place.lane].leadNs[place.row];
    const widthPx = Math.min(box.xPx + 1000, (leadNs / spanNs(this.view.store.state.span)) * this.view.widthPx);
    return widthPx >= 1 ? { ...box, xPx: box.xPx - widthPx, widthPx } : null;
  }
}
