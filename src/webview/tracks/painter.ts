/** Draws the rows: bars through a renderer, axis and overlay on canvases of their own. Redraws only what changed. */
import { predecessors, successors } from '../../simulator/analyze/dependencies';
import { timeText } from '../../simulator/analyze/format';
import { Marks } from '../../simulator/profile/windowMarks';
import { blockerOf, eventLabel, type Model } from '../data/model';
import { ticks } from '../math/ticks';
import { pxToTime, spanNs, type TimeSpan, timeToPx } from '../math/timeSpan';
import { instantText } from '../math/units';
import { context2d, element, sizeCanvas } from '../panels/dom';
import { AXIS_PX, drawAxis } from '../render/axis';
import { chooseRenderer } from '../render/chooseRenderer';
import { TextFitter } from '../render/labels';
import { type Arrow, drawOverlay, type TimeBand } from '../render/overlay';
import type { Clip, Renderer } from '../render/renderer';
import type { Theme } from '../render/theme';
import { OWN, profileOf } from '../stack/profiles';
import { type Change, type Changes, changedAny, type View } from '../state/view';
import { boxesOf, waitBox } from './boxes';
import { ALARM } from './colouring';
import { hitTest } from './hit';
import type { Row } from './layout';
import { Scene } from './scene';

/** What changes the bars; anything else only redraws the overlay. */
const SCENE_KEYS: readonly Change[] = [
  ...(['model', 'stack', 'size', 'theme', 'span', 'scrollTop', 'colourBy', 'found', 'marked', 'renderer', 'waits', 'barText'] as const),
  ...(['collapsed', 'hidden', 'pinned', 'rowOrder', 'rowScale', 'dmaRows', 'foldedProfiles'] as const),
];
/** Arrows beyond these say nothing any more. */
const MOST_ARROWS = 24;

export class Painter {
  readonly scene = new Scene();
  private renderer: Renderer | null = null;
  private readonly overContext: CanvasRenderingContext2D;
  private readonly axisContext: CanvasRenderingContext2D;
  private readonly fitter: TextFitter;
  private readonly scratch = new Marks();
  private links: { event: number; before: number[]; after: number[] } | null = null;

  constructor(
    private readonly view: View,
    private readonly theme: () => Theme,
    /** Where the renderer's canvas goes: a canvas keeps the kind of context it had first. */
    private readonly area: HTMLElement,
    private readonly over: HTMLCanvasElement,
    private readonly axis: HTMLCanvasElement,
  ) {
    this.overContext = context2d(over);
    this.axisContext = context2d(axis, false);
    this.fitter = new TextFitter(text => this.overContext.measureText(text).width);
    view.refreshHit = () => this.findHit();
  }

  draw(changed: Changes): void {
    const { model } = this.view;
    if (!model) return;
    if (!this.renderer || changed.has('renderer')) this.useRenderer();
    if (changed.has('size')) this.resize();
    this.findHit();
    if (changedAny(changed, SCENE_KEYS)) this.drawBars();
    this.drawAxis();
    this.drawOver(model);
  }

  private useRenderer() {
    this.renderer?.dispose();
    const canvas = element('canvas.layer.bars');
    this.area.querySelector('.bars')?.remove();
    this.area.prepend(canvas);
    this.renderer = chooseRenderer(canvas, this.view.store.state.renderer);
    this.area.dataset.renderer = this.renderer.name;
    // the GPU may take a context away at any time: the 2D canvas goes on
    canvas.addEventListener('webglcontextlost', () => canvas.isConnected && this.view.store.update({ renderer: 'canvas' }));
    this.resize();
  }

  private resize() {
    const { widthPx, heightPx } = this.view;
    this.renderer?.resize(widthPx, heightPx, window.devicePixelRatio || 1);
    sizeCanvas(this.over, this.overContext, widthPx, heightPx);
    sizeCanvas(this.axis, this.axisContext, widthPx, AXIS_PX);
  }

  private findHit() {
    const { view } = this;
    const { pointer, scrollTop } = view.store.state;
    if (!pointer || pointer.yPx === null) view.hit = null;
    else view.hit = hitTest(view.layout, row => view.viewport(row), { xPx: pointer.xPx, yPx: pointer.yPx, scrollTop }, this.scratch);
  }

  private drawBars() {
    const { layout, heightPx } = this.view;
    if (!this.renderer) return;
    this.renderer.clear(this.theme().background);
    this.scene.begin();
    const pinned = layout.rows.filter(row => row.pinned);
    const rest = layout.rows.filter(row => !row.pinned);
    this.drawPart(rest, { topPx: layout.pinnedPx, heightPx: heightPx - layout.pinnedPx });
    if (pinned.length > 0) this.drawPart(pinned, { topPx: 0, heightPx: layout.pinnedPx });
    this.renderer.finish();
  }

  private drawPart(rows: readonly Row[], clip: Clip) {
    const { view } = this;
    const { widthPx, mask, stack } = view;
    const { span, scrollTop, waits, barText } = view.store.state;
    const of = (row: Row) => profileOf(stack, row.profile)!;
    this.scene.build({
      ...{ rows, span, widthPx, ...clip, scrollTop, mask, waits, barText },
      viewport: row => view.viewport(row),
      colouring: row => (row.kind === 'finding' ? ALARM : of(row).colouring),
      packets: (row, piece) => of(row).model.analysis.packets().of(piece),
      body: row => {
        const { bodyStartNs, bodyEndNs } = of(row).model.profile;
        return { startNs: bodyStartNs, endNs: bodyEndNs };
      },
      ticks: ticks(span, widthPx),
    });
    this.renderer?.rects(this.scene.rects, this.theme().styles, clip);
  }

  private drawAxis() {
    const { widthPx, store } = this.view;
    const { span, pointer, markers, marker } = store.state;
    const cursorPx = pointer?.xPx ?? null;
    const cursorText = cursorPx === null ? '' : instantText(pxToTime(cursorPx, span, widthPx));
    const flags = markers.map(m => ({ xPx: timeToPx(m.timeNs, span, widthPx), text: m.name, series: m.series, chosen: m.id === marker }));
    drawAxis(
      this.axisContext,
      { span, ticks: ticks(span, widthPx), widthPx, widthText: timeText(spanNs(span)), cursorPx, cursorText, flags },
      this.theme(),
    );
  }

  private drawOver(model: Model) {
    const { widthPx, heightPx, store, hit, stack, layout } = this.view;
    const { selected, pointer, band, span, markers, box, scrollTop } = store.state;
    const input = { model, layout, span, widthPx, scrollTop };
    const toPx = (timeNs: number) => timeToPx(timeNs, span, widthPx);
    const hovered = hit && hit.row.profile === OWN && hit.event !== selected ? hit.event : null;
    drawOverlay(
      this.overContext,
      {
        ...{ widthPx, heightPx, labels: this.scene.labels, pinnedPx: layout.pinnedPx },
        labelText: (event, profile) => eventLabel(profileOf(stack, profile)?.model ?? model, event),
        selected: selected === null ? [] : boxesOf(input, selected),
        selectedWait: selected === null ? null : waitBox(input, selected),
        hovered: hovered === null ? [] : boxesOf(input, hovered),
        arrows: selected === null ? [] : this.arrows(model, selected),
        bands: this.bands(model).map(({ startNs, endNs }) => ({ fromPx: toPx(startNs), toPx: toPx(endNs) })),
        markers: markers.map(({ timeNs, series }) => ({ xPx: toPx(timeNs), series })),
        cursorPx: pointer?.xPx ?? null,
        drag: band && {
          fromPx: toPx(band.fromNs),
          toPx: toPx(band.toNs),
          rowsPx: band.rowsPx,
          text: timeText(Math.abs(band.toNs - band.fromNs)),
        },
        box: box && {
          fromPx: toPx(box.startNs),
          toPx: toPx(box.endNs),
          rows: layout.rows
            .filter(row => box.rows.includes(row.name))
            .map(row => ({ yPx: row.topPx - (row.pinned ? 0 : scrollTop), heightPx: row.heightPx })),
        },
      },
      this.theme(),
      this.fitter,
    );
  }

  /** From the blocker always; from and to the other dependences when they are wanted. */
  private arrows(model: Model, selected: number): Arrow[] {
    const { store, layout, widthPx } = this.view;
    const { span, scrollTop, arrows } = store.state;
    const boxOf = (event: number) => boxesOf({ model, layout, span, widthPx, scrollTop }, event)[0] ?? null;
    const here = boxOf(selected);
    if (!here) return [];
    const blocker = blockerOf(model, selected);
    if (!this.links || this.links.event !== selected)
      this.links = arrows ? linksOf(model, selected) : { event: selected, before: [], after: [] };
    const { before, after } = this.links;
    const made = [
      ...before.filter(event => event !== blocker).map(event => ({ from: boxOf(event), to: here, kind: 'before' as const })),
      ...after.map(event => ({ from: here, to: boxOf(event), kind: 'after' as const })),
      ...(blocker < 0 ? [] : [{ from: boxOf(blocker), to: here, kind: 'blocker' as const }]),
    ];
    return made.filter((arrow): arrow is Arrow => arrow.from !== null && arrow.to !== null);
  }

  private bands(model: Model): TimeBand[] {
    const { warning, warningBands } = this.view.store.state;
    if (!warningBands || warning === null) return [];
    const spans = model.analysis.warnings()[warning]?.spans;
    return spans ? visible(spans, this.view.store.state.span) : [];
  }
}

function linksOf(model: Model, event: number) {
  const { profile, analysis } = model;
  const ids = (list: { event: number }[]) => list.slice(0, MOST_ARROWS).map(dependency => dependency.event);
  return {
    event,
    before: ids(predecessors(profile, analysis.producers(), event)),
    after: ids(successors(profile, analysis.producers(), event)),
  };
}

function visible({ startNs, endNs }: { startNs: Float64Array; endNs: Float64Array }, span: TimeSpan): TimeBand[] {
  const bands: TimeBand[] = [];
  for (let i = 0; i < startNs.length; i++)
    if (endNs[i] >= span.startNs && startNs[i] <= span.endNs) bands.push({ startNs: startNs[i], endNs: endNs[i] });
  return bands;
}
