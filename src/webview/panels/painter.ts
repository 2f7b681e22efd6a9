/** Draws the rows: bars through a renderer, axis and overlay on canvases of their own. Redraws only what changed. */
import { timeText } from '../../simulator/analyze/format';
import { blockerOf, eventLabel, layerLabel, type Model } from '../data/model';
import { areRanks, OWN, profileOf } from '../data/stack';
import { context2d, element, sizeCanvas } from '../dom/element';
import { ticks } from '../math/ticks';
import { pxToTime, spanNs, type TimeSpan, timeToPx } from '../math/timeSpan';
import { instantText } from '../math/units';
import { AXIS_PX, drawAxis } from '../render/axis';
import { chooseRenderer } from '../render/chooseRenderer';
import { TextFitter } from '../render/labels';
import { type Arrow, drawOverlay, type TimeBand } from '../render/overlay';
import type { Clip, Renderer } from '../render/renderer';
import { isMissing } from '../state/marker';
import type { Drawing } from '../state/tracker';
import { boxesOf, waitBox } from '../tracks/boxes';
import { collectiveArrows } from '../tracks/collectiveArrows';
import { ALARM, type Colouring } from '../tracks/colouring';
import { layerColouring } from '../tracks/layerColours';
import type { TrackRow } from '../tracks/layout';
import { Scene } from '../tracks/scene';
import type { View } from '../view/view';

export class Painter {
  readonly scene = new Scene();
  private renderer: Renderer | null = null;
  private readonly overContext: CanvasRenderingContext2D;
  private readonly axisContext: CanvasRenderingContext2D;
  private readonly fitter: TextFitter;
  private readonly chosen: Drawing;
  private readonly sized: Drawing;
  private readonly bars: Drawing;
  private readonly times: Drawing;
  private readonly overlay: Drawing;

  constructor(
    private readonly view: View,
    /** Where the renderer's canvas goes: a canvas keeps the kind of context it had first. */
    private readonly area: HTMLElement,
    private readonly over: HTMLCanvasElement,
    private readonly axis: HTMLCanvasElement,
  ) {
    this.overContext = context2d(over);
    this.axisContext = context2d(axis, false);
    this.fitter = new TextFitter(text => this.overContext.measureText(text).width);
    this.chosen = view.drawing(() => this.useRenderer());
    this.sized = view.drawing(() => this.resize());
    this.bars = view.drawing(() => this.drawBars());
    this.times = view.drawing(() => this.drawAxis());
    this.overlay = view.drawing(() => view.model && this.drawOver(view.model));
  }

  draw(): void {
    if (!this.view.model) return;
    // a canvas that has another size is empty
    const empty = this.sized(this.chosen());
    const labelled = this.bars(empty);
    this.times(empty);
    this.overlay(labelled);
  }

  private useRenderer() {
    this.renderer?.dispose();
    const canvas = element('canvas.layer.bars');
    this.area.querySelector('.bars')?.remove();
    this.area.prepend(canvas);
    this.renderer = chooseRenderer(canvas, this.view.state.renderer);
    this.area.dataset.renderer = this.renderer.name;
    // the GPU may take a context away at any time: the 2D canvas goes on
    canvas.addEventListener('webglcontextlost', () => canvas.isConnected && this.view.store.update({ renderer: 'canvas' }));
  }

  private resize() {
    const { widthPx, heightPx, pixelRatio } = this.view.state;
    this.renderer?.resize(widthPx, heightPx, pixelRatio);
    sizeCanvas(this.over, this.overContext, widthPx, heightPx, pixelRatio);
    sizeCanvas(this.axis, this.axisContext, widthPx, AXIS_PX, pixelRatio);
  }

  private drawBars() {
    const { layout, state } = this.view;
    if (!this.renderer) return;
    this.renderer.clear(state.theme.background);
    this.scene.begin();
    const pinned = layout.rows.filter(row => row.pinned);
    const rest = layout.rows.filter(row => !row.pinned);
    this.drawPart(rest, { topPx: layout.pinnedPx, heightPx: state.heightPx - layout.pinnedPx });
    if (pinned.length > 0) this.drawPart(pinned, { topPx: 0, heightPx: layout.pinnedPx });
    this.renderer.finish();
  }

  private drawPart(rows: readonly TrackRow[], clip: Clip) {
    const { mask, colourings, viewports } = this.view;
    const { stack, span, scrollTop, widthPx, waits, barText, theme } = this.view.state;
    const of = (row: TrackRow) => profileOf(stack, row.profile)!;
    this.scene.build({
      ...{ rows, span, widthPx, ...clip, scrollTop, mask, waits, barText },
      viewport: row => viewports.get(row.profile)!,
      colouring: row => colouringOf(row, of(row).model, colourings.get(row.profile)!),
      packets: (row, piece) => of(row).model.analysis.packets().of(piece),
      body: row => {
        const { bodyStartNs, bodyEndNs } = of(row).model.profile;
        return { startNs: bodyStartNs, endNs: bodyEndNs };
      },
      ticks: ticks(span, widthPx),
    });
    this.renderer?.rects(this.scene.rects, theme.styles, clip);
  }

  private drawAxis() {
    const { widthPx, theme, span, pointer, markers, marker } = this.view.state;
    const cursorPx = pointer?.xPx ?? null;
    const cursorText = cursorPx === null ? '' : instantText(pxToTime(cursorPx, span, widthPx));
    const flags = markers
      .filter(m => !isMissing(m))
      .map(m => ({ xPx: timeToPx(m.timeNs, span, widthPx), text: m.name, series: m.series, chosen: m.id === marker }));
    drawAxis(
      this.axisContext,
      { span, ticks: ticks(span, widthPx), widthPx, widthText: timeText(spanNs(span)), cursorPx, cursorText, flags },
      theme,
    );
  }

  private drawOver(model: Model) {
    const { hit, layout, state } = this.view;
    const { stack, widthPx, heightPx, theme, selected, pointer, band, span, markers, box, scrollTop } = state;
    const input = { model, layout, span, widthPx, scrollTop };
    const toPx = (timeNs: number) => timeToPx(timeNs, span, widthPx);
    const hovered = hit && hit.row.profile === OWN && hit.event !== selected ? hit.event : null;
    drawOverlay(
      this.overContext,
      {
        ...{ widthPx, heightPx, labels: this.scene.labels, pinnedPx: layout.pinnedPx },
        labelText: (event, profile, span) => labelOf(profileOf(stack, profile)?.model ?? model, event, span),
        selected: selected === null ? [] : boxesOf(input, selected),
        selectedWait: selected === null ? null : waitBox(input, selected),
        hovered: hovered === null ? [] : boxesOf(input, hovered),
        arrows: [...(selected === null ? [] : this.arrows(model, selected)), ...this.arrowsOfRanks()],
        bands: this.bands(model).map(({ startNs, endNs }) => ({ fromPx: toPx(startNs), toPx: toPx(endNs) })),
        markers: markers.filter(m => !isMissing(m)).map(({ timeNs, series }) => ({ xPx: toPx(timeNs), series })),
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
      theme,
      this.fitter,
    );
  }

  /** From the blocker always; from and to the other dependences when they are wanted. */
  private arrows(model: Model, selected: number): Arrow[] {
    const { layout, links, state } = this.view;
    const { span, scrollTop, widthPx } = state;
    const boxOf = (event: number) => boxesOf({ model, layout, span, widthPx, scrollTop }, event)[0] ?? null;
    const here = boxOf(selected);
    if (!here) return [];
    const blocker = blockerOf(model, selected);
    const { before, after } = links;
    const made = [
      ...before.filter(event => event !== blocker).map(event => ({ from: boxOf(event), to: here, kind: 'before' as const })),
      ...after.map(event => ({ from: here, to: boxOf(event), kind: 'after' as const })),
      ...(blocker < 0 ? [] : [{ from: boxOf(blocker), to: here, kind: 'blocker' as const }]),
    ];
    return made.filter((arrow): arrow is Arrow => arrow.from !== null && arrow.to !== null);
  }

  /** Between the ranks of the collective that is looked at. */
  private arrowsOfRanks(): Arrow[] {
    const { layout, viewports, state } = this.view;
    const { stack, collective, widthPx, scrollTop } = state;
    if (collective === null || !areRanks(stack)) return [];
    return collectiveArrows(stack, collective, { layout, scrollTop, widthPx, viewportOf: number => viewports.get(number)! });
  }

  private bands(model: Model): TimeBand[] {
    const { warning, warningBands } = this.view.state;
    if (!warningBands || warning === null) return [];
    const spans = model.analysis.warnings()[warning]?.spans;
    return spans ? visible(spans, this.view.state.span) : [];
  }
}

/** What a mark says: of a layer its own name. */
const labelOf = (model: Model, event: number, span: number) => (span < 0 ? eventLabel(model, event) : layerLabel(model, span));

function colouringOf({ kind, depth = 1 }: TrackRow, model: Model, usual: Colouring): Colouring {
  if (kind === 'finding') return ALARM;
  return kind === 'layers' ? layerColouring(model.profile, depth) : usual;
}

function visible({ startNs, endNs }: { startNs: Float64Array; endNs: Float64Array }, span: TimeSpan): TimeBand[] {
  const bands: TimeBand[] = [];
  for (let i = 0; i < startNs.length; i++)
    if (endNs[i] >= span.startNs && startNs[i] <= span.endNs) bands.push({ startNs: startNs[i], endNs: endNs[i] });
  return bands;
}
