/** A line of the causal profile as a small curve: across, how much of its own time the line saves; down, how much the kernel does. */
import { signedPercentText } from '../../simulator/analyze/format';
import { svgElement } from '../dom/svg';
import type { CausalLine } from '../protocol/experiments';

const SIZE = { widthPx: 96, heightPx: 22, padPx: 3 };

/** @param mostShare gain at the lower edge: the same for all lines, so that they can be compared */
export function causalCurve({ curve }: Pick<CausalLine, 'curve'>, mostShare: number): SVGElement {
  const { widthPx, heightPx, padPx } = SIZE;
  const x = (saved: number) => padPx + saved * (widthPx - 2 * padPx);
  const y = (delta: number) => padPx + Math.max(0, Math.min(1, -delta / mostShare)) * (heightPx - 2 * padPx);
  const points = curve.map(({ savedShare, deltaShare }) => `${x(savedShare).toFixed(1)},${y(deltaShare).toFixed(1)}`);
  const said = curve
    .slice(1)
    .map(({ savedShare, deltaShare }) => `${Math.round(savedShare * 100)} % saved: ${signedPercentText(deltaShare)}`);
  const svg = svgElement('svg', {
    viewBox: `0 0 ${widthPx} ${heightPx}`,
    class: 'causalCurve',
    role: 'img',
    'aria-label': said.join(', '),
  });
  const last = curve[curve.length - 1];
  svg.append(
    svgElement('path', { d: `M${x(0)},${y(0)}H${x(1)}`, class: 'zero' }),
    svgElement('polyline', { points: points.join(' ') }),
    svgElement('circle', { cx: x(last.savedShare), cy: y(last.deltaShare), r: 2 }),
  );
  return svg;
}
