/**
 * The roofline of the summary: what the kernel, its loops and its matmul lines reach, under what dtypes and traffic allow. Both axes are
 * logarithmic. The roofs are the profile's target's, or another's that the reader picks. What is drawn is worked out in `analyze/`.
 */
import { percentText, teraText } from '../../simulator/analyze/format';
import type { HierarchyNode } from '../../simulator/analyze/hierarchy';
import { KNOWN_TARGETS } from '../../simulator/analyze/machineOf';
import { type Roofline, type RooflinePoint, roofline } from '../../simulator/analyze/roofline';
import type { Profile } from '../../simulator/profile/profile';
import { hasSource, positionText } from '../data/describe';
import { element } from '../dom/element';
import { svgElement, svgText } from '../dom/svg';
import { rateText } from '../math/units';
import { place } from '../panels/links';
import type { View } from '../view/view';
import { section } from './statistics';

const CHART = { widthPx: 420, heightPx: 220, padPx: 16 };
/** Between a line and the text above it. */
const TEXT_PX = 4;
/** Around a point, where a press is one of the point. */
const PRESSED_PX = 9;
const RADIUS_PX: Readonly<Record<RooflinePoint['kind'], number>> = { kernel: 5, loop: 4, line: 3 };

/** What the tab remembers: the target whose roofs are shown; null: the profile's own. */
export interface ShownRoofs {
  target: string | null;
}

/** Null for kernels without matmuls or without traffic. */
export function rooflineChart(view: View, profile: Profile, tree: HierarchyNode, shown: ShownRoofs): HTMLElement | null {
  if (!roofline(profile, tree)) return null;
  const body = element('div.rooflineBody');
  const picker = element('select.select', { 'aria-label': 'Roofs of the target' });
  const current = shown.target ?? profile.target;
  for (const target of KNOWN_TARGETS) picker.append(element('option', { value: target, selected: target === current }, target));
  const fill = () => body.replaceChildren(...content(view, profile, roofline(profile, tree, shown.target ?? profile.target)!));
  picker.addEventListener('change', () => {
    shown.target = picker.value === profile.target ? null : picker.value;
    fill();
  });
  fill();
  return section('Roofline', element('label.hint', {}, 'roofs of ', picker), body);
}

function content(view: View, profile: Profile, found: Roofline): Node[] {
  const other = found.target === profile.target ? [] : [element('p.hint', {}, `Points are times on ${profile.target}.`)];
  const legend = element('ol.rooflinePoints', { 'aria-label': 'Points of the roofline' }, ...found.points.map(point => row(view, point)));
  return [picture(view, found), ...other, legend];
}

function row(view: View, point: RooflinePoint): HTMLElement {
  const { kind, name, intensity, flopsPerSecond, peakShare } = point;
  const what = kind === 'kernel' ? element('b', {}, name) : element('span', {}, kind === 'loop' ? `${name}, ` : '', place(view, point));
  const title = kind === 'line' ? `${name}: while it runs; FLOPs per byte are those of its loop` : name;
  const numbers = `${teraText(flopsPerSecond)}, ${percentText(peakShare)} of peak, ${intensity.toFixed(1)} FLOPs per byte`;
  return element(
    'li',
    { title },
    element(`i.dot.${kind}` as 'i', { 'aria-hidden': 'true' }),
    what,
    element('span.where', {}, ` ${numbers}`),
  );
}

function picture(view: View, { target, bytesPerSecond, roofs, points }: Roofline): SVGElement {
  const { widthPx, heightPx, padPx } = CHART;
  const ridges = roofs.map(roof => roof.flopsPerSecond / bytesPerSecond);
  const intensities = points.map(point => point.intensity);
  const [lowX, highX] = [Math.min(...ridges.map(r => r / 10), ...intensities) / 2, Math.max(...ridges.map(r => r * 2), ...intensities) * 2];
  const highY = roofs[0].flopsPerSecond * 1.8;
  const lowY = Math.min(lowX * bytesPerSecond, ...points.map(point => point.flopsPerSecond)) / 1.5;
  const along = (value: number, low: number, high: number) => Math.log(value / low) / Math.log(high / low);
  const x = (value: number) => padPx + along(value, lowX, highX) * (widthPx - 2 * padPx);
  const y = (value: number) => heightPx - padPx - along(value, lowY, highY) * (heightPx - 2 * padPx);
  const label = `Roofline of ${target}: ${points.map(point => `${point.name} ${teraText(point.flopsPerSecond)}`).join(', ')}`;
  const svg = svgElement('svg', { viewBox: `0 0 ${widthPx} ${heightPx}`, class: 'roofline', role: 'group', 'aria-label': label });
  const top = roofs[0].flopsPerSecond;
  svg.append(svgElement('path', { d: `M${x(lowX)},${y(lowX * bytesPerSecond)}L${x(top / bytesPerSecond)},${y(top)}`, class: 'roof' }));
  svg.append(svgText(`DMA ${rateText(bytesPerSecond)}`, { x: padPx, y: padPx }));
  for (const { flopsPerSecond } of roofs.filter(roof => roof.flops > 0)) {
    const ridge = flopsPerSecond / bytesPerSecond;
    svg.append(svgElement('path', { d: `M${x(ridge)},${y(flopsPerSecond)}V${heightPx - padPx}`, class: 'ridge' }));
    svg.append(svgText(ridge.toFixed(0), { x: x(ridge), y: heightPx - TEXT_PX, 'text-anchor': 'middle' }));
  }
  for (const { width, flopsPerSecond, flops } of roofs) {
    const height = y(flopsPerSecond);
    const used = flops > 0;
    svg.append(
      svgElement('path', {
        d: `M${x(flopsPerSecond / bytesPerSecond)},${height}L${x(highX)},${height}`,
        class: used ? 'roof' : 'roof unused',
      }),
      svgText(`${width} ${teraText(flopsPerSecond)}`, {
        x: x(highX),
        y: height - TEXT_PX,
        'text-anchor': 'end',
        class: used ? 'used' : '',
      }),
    );
  }
  for (const one of [...points].reverse()) svg.append(pointOf(view, one, x(one.intensity), y(one.flopsPerSecond)));
  svg.append(svgText('FLOPs per byte of HBM traffic', { x: padPx, y: heightPx - TEXT_PX }));
  return svg;
}

/** It opens its line, where there is one to open. */
function pointOf(view: View, point: RooflinePoint, x: number, y: number): SVGElement {
  const circle = svgElement('circle', { cx: x, cy: y, r: RADIUS_PX[point.kind], class: point.kind });
  const title = svgElement('title', {});
  title.textContent = point.name;
  const opens = view.state.canOpenSource && hasSource(point);
  const group = svgElement(
    'g',
    opens ? { class: 'point', role: 'link', tabindex: 0, 'aria-label': `${point.name}, ${positionText(point)}` } : {},
  );
  group.append(title, circle);
  if (!opens) return group;
  group.prepend(svgElement('circle', { cx: x, cy: y, r: PRESSED_PX, class: 'around' }));
  const open = () => view.openSource(point, true);
  group.addEventListener('click', open);
  group.addEventListener('keydown', event => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open();
  });
  return group;
}
