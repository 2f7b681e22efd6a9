/** The roofline of the summary: what the kernel reaches, under what its traffic allows. Both axes logarithmic, two decades around the ridge. */

import { arithmeticIntensity, machineBalance } from '../../simulator/analyze/metrics';
import type { ProfileTotals } from '../../simulator/analyze/totals';
import type { Profile } from '../../simulator/profile/profile';
import { element } from '../dom/element';
import { svgElement, svgText } from '../dom/svg';
import { rateText } from '../math/units';
import { section } from './statistics';

const ROOF = { widthPx: 300, heightPx: 140, padPx: 14 };
/** Between a line and the text above it. */
const TEXT_PX = 4;

/** What is drawn: FLOPs per byte of HBM traffic, and FLOP/s. */
interface Roof {
  intensity: number;
  balance: number;
  reached: number;
  peak: number;
  hbmBytesPerSecond: number;
}

/** Null for kernels without matmuls or without traffic. */
export function roofline(f: ProfileTotals, { machine, totalTimeNs }: Profile): HTMLElement | null {
  const [intensity, balance] = [arithmeticIntensity(f), machineBalance(f)];
  if (!intensity || !balance || f.hardwareFlops === f.transposeFlops) return null;
  const reached = ((f.hardwareFlops - f.transposeFlops) / totalTimeNs) * 1e9;
  const { peakFlops: peak, hbmBytesPerSecond } = machine;
  const say = `${intensity.toFixed(1)} FLOPs per byte of HBM traffic, ridge at ${balance.toFixed(1)}; ${(reached / 1e12).toFixed(2)} of ${teraText(peak)}.`;
  return section('Roofline', picture({ intensity, balance, reached, peak, hbmBytesPerSecond }), element('p.hint', {}, say));
}

const teraText = (flops: number) => `${(flops / 1e12).toFixed(0)} TFLOP/s`;

function picture({ intensity, balance, reached, peak, hbmBytesPerSecond }: Roof): SVGElement {
  const { widthPx, heightPx, padPx } = ROOF;
  const lowX = Math.min(balance / 100, intensity / 2);
  const highX = Math.max(balance * 10, intensity * 2);
  const lowY = Math.min((peak * lowX) / balance, reached / 2);
  const along = (value: number, low: number, high: number) => Math.log(value / low) / Math.log(high / low);
  const x = (value: number) => padPx + along(value, lowX, highX) * (widthPx - 2 * padPx);
  const y = (value: number) => heightPx - padPx - along(value, lowY, peak * 1.5) * (heightPx - 2 * padPx);
  const svg = svgElement('svg', { viewBox: `0 0 ${widthPx} ${heightPx}`, class: 'roofline', role: 'img', 'aria-label': 'Roofline' });
  svg.append(
    svgElement('path', { d: `M${x(balance)},${y(peak)}V${heightPx - padPx}`, class: 'ridge' }),
    svgElement('path', { d: `M${x(lowX)},${y((peak * lowX) / balance)}L${x(balance)},${y(peak)}L${x(highX)},${y(peak)}`, class: 'roof' }),
    svgElement('circle', { cx: x(intensity), cy: y(reached), r: 4 }),
    svgText(teraText(peak), { x: x(highX), y: y(peak) - TEXT_PX, 'text-anchor': 'end' }),
    svgText(`HBM ${rateText(hbmBytesPerSecond)}`, { x: padPx, y: padPx }),
    svgText('FLOPs per byte', { x: padPx, y: heightPx - TEXT_PX }),
    svgText(balance.toFixed(0), { x: x(balance), y: heightPx - TEXT_PX, 'text-anchor': 'middle' }),
  );
  return svg;
}
