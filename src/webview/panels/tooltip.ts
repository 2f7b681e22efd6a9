/** The hover box: describes the event under the pointer in a few lines. It never covers the pointer or leaves the page. */
import { describeEvent, type EventDescription } from '../../simulator/analyze/events';
import { bytesText, timeText } from '../../simulator/analyze/format';
import { type OperandPart, operandParts } from '../../simulator/analyze/operandParts';
import type { Profile } from '../../simulator/profile/profile';
import { counterOf } from '../data/counterOf';
import { positionText, title } from '../data/describe';
import type { Model } from '../data/model';
import { profileOf } from '../data/stack';
import { element } from '../dom/element';
import { pxToTime } from '../math/timeSpan';
import { instantText, plural, rateText } from '../math/units';
import type { Hit } from '../tracks/hit';
import type { Panel, View } from '../view/view';

const OFFSET_PX = 14;
const MOST_FINDINGS = 3;

export function tooltip(view: View, area: HTMLElement): Panel {
  const box = element('div.tooltip', { role: 'tooltip', hidden: true });
  let shown = '';
  return {
    element: box,
    draw: view.drawing(() => {
      const { pointer, band } = view.state;
      const { hit, model } = view;
      const visible = !!(hit && model && pointer && pointer.yPx !== null && !band);
      box.hidden = !visible;
      if (!visible) return;
      const of = profileOf(view.state.stack, hit.row.profile)?.model ?? model;
      const packet = packetAt(view, of, hit, pointer.xPx);
      const key = `${hit.row.name} ${hit.event} ${hit.merged} ${hit.index} ${packet}`;
      if (key !== shown)
        box.replaceChildren(
          ...found(of, hit),
          ...(hit.row.kind === 'layers' ? layer(of, hit) : lines(of.profile, hit)),
          ...piece(of, hit, packet),
          ...moment(view, pointer.xPx),
        );
      shown = key;
      position(box, area, pointer.xPx, pointer.yPx ?? 0);
    }),
  };
}

/** The counters' values at this time: the exact DMA throughput at any zoom. */
function moment(view: View, xPx: number): HTMLElement[] {
  const counter = view.model && counterOf(view.model, 'dma', view.state.core);
  if (!counter || view.hit?.row.kind === 'engine') return [];
  const timeNs = pxToTime(xPx, view.state.span, view.state.widthPx);
  return [element('div.iteration', {}, `${counter.name} now: ${counter.text(counter.counter.valueAt(timeNs))}`)];
}

/** In a row of pieces: the piece under the pointer; the lines above describe the whole transfer. */
function piece(model: Model, { row, lane: at, index }: Hit, packet: number | null): HTMLElement[] {
  if (row.kind !== 'dma') return [];
  const lane = row.lanes[at];
  const said = (name: string, startNs: number, endNs: number) =>
    element('div.iteration', {}, `${name}: ${timeText(endNs - startNs)} · ${instantText(startNs)} → ${instantText(endNs)}`);
  const { count, firstNs, stepNs, bytes } = model.analysis.packets().of(lane.source(index));
  const whole = said(
    count > 1 ? `this turn, ${count} packets of ${bytesText(bytes)}` : `this packet, ${bytesText(bytes)}`,
    lane.startNs(index),
    lane.endNs(index),
  );
  if (packet === null) return [whole];
  return [whole, said(`packet ${packet + 1} of the turn`, firstNs + packet * stepNs, firstNs + (packet + 1) * stepNs)];
}

/** In a turn of several packets: the packet at this time; null outside of them. */
function packetAt(view: View, { analysis }: Model, { row, lane, index, merged }: Hit, xPx: number): number | null {
  if (row.kind !== 'dma' || merged > 1) return null;
  const { count, firstNs, stepNs } = analysis.packets().of(row.lanes[lane].source(index));
  const packet = Math.floor((pxToTime(xPx, view.viewport(row), view.state.widthPx) - firstNs) / stepNs);
  return count > 1 && packet >= 0 && packet < count ? packet : null;
}

/** A visit of a layer; of a merged mark the longest. */
function layer({ analysis }: Model, { row, lane: at, index, merged }: Hit): HTMLElement[] {
  const lane = row.lanes[at];
  const { name, names } = analysis.layerSpans();
  const [startNs, endNs] = [lane.startNs(index), lane.endNs(index)];
  const times = ` · ${instantText(startNs)} → ${instantText(endNs)}`;
  return [
    element('div.head', {}, element('b', {}, names[name[lane.source(index)]]), element('span', {}, 'layer')),
    element('div', {}, element('b', {}, timeText(endNs - startNs)), times),
    ...(merged > 1 ? [element('div.merged', {}, `the longest of ${merged} in this pixel`)] : []),
  ];
}

/** The finding at this position. */
function found({ analysis }: Model, { event }: Hit): HTMLElement[] {
  const all = analysis.findings().filter(finding => finding.event === event);
  return all.slice(0, MOST_FINDINGS).map(({ severity, message }) => element('div.waited', {}, element('b', {}, severity), ` ${message}`));
}

function lines(p: Profile, hit: Hit): HTMLElement[] {
  const d = describeEvent(p, hit.event);
  const head = element('div.head', {}, element('b', {}, title(d)), element('span', {}, d.track));
  const merged = hit.merged > 1 ? element('div.merged', {}, `${plural(hit.merged, 'event')} in this pixel; the longest:`) : null;
  const times = `${instantText(d.startNs)} → ${instantText(d.endNs)}`;
  const wait = d.stallText === '' ? null : element('div.waited', {}, d.stallText);
  const source = element('div.from', {}, element('span.position', {}, positionText(d.position)), element('code', {}, d.sourceText));
  return [
    merged,
    head,
    element('div', {}, element('b', {}, timeText(d.durationNs)), ` · ${times}`),
    wait,
    ...whatItDoes(p, d),
    source,
    d.iteration === '' ? null : element('div.iteration', {}, d.iteration),
  ].filter(line => line !== null);
}

/** What a DMA moves; the operands of an instruction, those in memory by the names of their tensors. Details has them whole. */
function whatItDoes(p: Profile, { event, kind, dma, operands }: EventDescription): HTMLElement[] {
  const said = (...text: (string | Node)[]) => element('div.operands', {}, ...text);
  if (dma) return [said(`${dma.direction.replace('->', ' → ')}, ${bytesText(dma.bytes)} at ${rateText(dma.bytesPerSecond)}`)];
  if (kind === 'dma') return [said(operands)];
  const parts = operandParts(p, event);
  const others = parts.filter(({ place }) => place === undefined).map(wordOf);
  return [
    ...parts.filter(({ place }) => place !== undefined).map(({ name, place }) => said(element('b', {}, name), ` ${place}`)),
    ...(others.length > 0 ? [said(others.join(' '))] : []),
  ];
}

/** `op=add`; what it waits for and raises is said in words already: `waits for S[4] (Scalar) ≥ 1`. */
const wordOf = ({ name, value }: OperandPart) => (value === '' ? name : `${name}${name.includes(' ') ? ' ' : '='}${value}`);

function position(box: HTMLElement, area: HTMLElement, xPx: number, yPx: number) {
  const place = area.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = box;
  const x = place.left + xPx;
  const y = place.top + yPx;
  const left = x + OFFSET_PX + offsetWidth <= window.innerWidth ? x + OFFSET_PX : Math.max(4, x - OFFSET_PX - offsetWidth);
  const below = y + OFFSET_PX + offsetHeight <= window.innerHeight;
  const top = below ? y + OFFSET_PX : Math.max(4, y - OFFSET_PX - offsetHeight);
  box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}
