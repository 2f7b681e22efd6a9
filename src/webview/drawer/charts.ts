/** Charts of the summary, each with its numbers as text: stacked bars of shares. */

import type { UtilizationBounds } from '../../simulator/analyze/bounds';
import { bytesText, percentText, timeText } from '../../simulator/analyze/format';
import type { ProfileTotals } from '../../simulator/analyze/totals';
import { peakFlopsOf } from '../../simulator/profile/ofCore';
import type { Profile } from '../../simulator/profile/profile';
import { ENGINES } from '../../simulator/vocabulary/engines';
import { element } from '../dom/element';
import { rateText } from '../math/units';
import { section } from './statistics';

interface Part {
  name: string;
  value: number;
  text: string;
  /** Series colour; null: what is left over. */
  series: number | null;
}

/** Parts of `whole`, side by side, with a legend that says the same in words. */
function stacked(title: string, whole: number, parts: readonly Part[]): HTMLElement | null {
  const shown = parts.filter(part => part.value > 0);
  if (shown.length === 0 || whole <= 0) return null;
  const share = (part: Part) => percentText(part.value / whole);
  const bar = element('div.stacked', { 'aria-hidden': 'true' });
  const legend = element('ul.chartLegend');
  for (const part of shown) {
    const colour = part.series === null ? 'rest' : `series${part.series % 8}`;
    const piece = element(`div.piece.${colour}` as 'div', { title: `${part.name}: ${share(part)}, ${part.text}` });
    piece.style.flexGrow = String(part.value / whole);
    bar.append(piece);
    legend.append(
      element('li', {}, element(`i.swatch.${colour}` as 'i'), `${part.name} ${share(part)}`, element('span.where', {}, ` ${part.text}`)),
    );
  }
  return section(title, bar, legend);
}

/** Bars below one another, each of its own whole. */
function bars(title: string, parts: readonly (Part & { share: number })[]): HTMLElement {
  const rows = parts.map(({ name, share, text, series }) => {
    const bar = element(`div.fill.series${(series ?? 7) % 8}` as 'div');
    bar.style.width = `${Math.min(100, share * 100)}%`;
    return element(
      'div.barRow',
      {},
      element('span.name', {}, name),
      element('div.track', {}, bar),
      element('span.value', {}, `${percentText(share)} · ${text}`),
    );
  });
  return section(title, element('div.bars', {}, ...rows));
}

export function pathChart({ path, bodyNs }: UtilizationBounds): HTMLElement | null {
  const name = (part: UtilizationBounds['path'][number]) => (part.kind === 'wait' ? `waiting: ${part.name}` : part.name);
  return stacked(
    'Critical path',
    bodyNs,
    path.map((part, i) => ({ name: name(part), value: part.ns, text: timeText(part.ns), series: i })),
  );
}

export function engineChart(f: ProfileTotals, { totalTimeNs }: Profile): HTMLElement {
  const engines = ENGINES.map((engine, series) => {
    const { activeNs } = f.engines[engine];
    return { name: engine, value: activeNs, text: timeText(activeNs), series, share: activeNs / totalTimeNs };
  });
  const dma = { name: 'DMA', value: f.dma.activeNs, text: timeText(f.dma.activeNs), series: 5, share: f.dma.activeNs / totalTimeNs };
  return bars('Engine use', [...engines, dma]);
}

/** Where the PE array's possible FLOPs of the whole time went. */
export function flopsChart(f: ProfileTotals, profile: Profile): HTMLElement | null {
  if (f.hardwareFlops === 0) return null;
  const possible = (peakFlopsOf(profile) * profile.totalTimeNs) / 1e9;
  const activeFlops = (peakFlopsOf(profile) * f.engines.Tensor.activeNs) / 1e9;
  const flops = (value: number) => `${value.toExponential(2)} FLOPs`;
  const useful = f.hardwareFlops - f.transposeFlops;
  const slack = Math.max(0, activeFlops - f.hardwareFlops);
  return stacked('PE array FLOPs', possible, [
    { name: 'useful', value: useful, text: flops(useful), series: 2 },
    { name: 'transpose', value: f.transposeFlops, text: flops(f.transposeFlops), series: 1 },
    { name: 'active, not at peak', value: slack, text: flops(slack), series: 0 },
    { name: 'unused', value: Math.max(0, possible - Math.max(activeFlops, f.hardwareFlops)), text: '', series: null },
  ]);
}

export function memoryChart(f: ProfileTotals): HTMLElement | null {
  const { hbmReadBytes: read, hbmWriteBytes: written } = f;
  if (read === null || written === null) return null;
  const least = Math.min(read, f.inputBytes ?? read);
  return stacked('HBM traffic', read + written, [
    { name: 'inputs, once', value: least, text: bytesText(least), series: 2 },
    { name: 'read again', value: read - least, text: bytesText(read - least), series: 1 },
    { name: 'written', value: written, text: bytesText(written), series: 0 },
  ]);
}

export function dmaChart(f: ProfileTotals): HTMLElement {
  const isKnown = f.hbmReadBytes !== null && f.hbmWriteBytes !== null;
  const seconds = f.profile.totalTimeNs / 1e9;
  const { machine } = f.profile;
  const moved = ((f.hbmReadBytes ?? 0) + (f.hbmWriteBytes ?? 0)) / seconds;
  const count = machine.dmaEngines * (machine.cores ?? 1);
  const engines = f.dma.sliceNs / (count * f.profile.totalTimeNs);
  const hbm = {
    name: 'HBM',
    value: moved,
    text: `${rateText(moved)} of ${rateText(machine.hbmBytesPerSecond)}`,
    series: 0,
    share: moved / machine.hbmBytesPerSecond,
  };
  return bars('Bandwidth in use', [
    ...(isKnown ? [hbm] : []),
    { name: 'DMA engines', value: engines, text: `busy, mean of ${count}`, series: 5, share: engines },
  ]);
}
