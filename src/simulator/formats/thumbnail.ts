/** A profile as a small picture: a row per engine, one for DMA and one for collectives, darker where it was busier. SVG without script, style or text. */
import { busyByTrack, dmaIntervals } from '../analyze/activeTime';
import { type Intervals, union } from '../analyze/intervals';
import type { Profile } from '../profile/profile';
import { isCcQueue } from '../vocabulary/queues';

const COLUMNS = 96;
const ROW_PX = 5;
const WIDTH_PX = 192;
/** Legible on light and dark. */
const COLOURS: Readonly<Record<string, string>> = {
  Tensor: '#3b82c4',
  Vector: '#2e9e5b',
  Scalar: '#c98a1b',
  GpSimd: '#b0579a',
  Sync: '#7f8a99',
};
const DMA_COLOUR = '#d2603a';
const COLLECTIVE_COLOUR = '#c026c0';

export function thumbnailSvg(p: Profile): string {
  const busy = busyByTrack(p);
  const engines = p.tracks.flatMap(({ kind }, i) => (kind === 'engine' && busy[i].startNs.length > 0 ? [i] : []));
  const collectives = p.tracks.flatMap(({ kind, name }, i) =>
    kind === 'queue' && isCcQueue(name) && busy[i].startNs.length > 0 ? [i] : [],
  );
  const rows = [
    ...engines.map(track => ({ intervals: busy[track], colour: COLOURS[p.tracks[track].engine] ?? COLOURS.Sync })),
    { intervals: dmaIntervals(p), colour: DMA_COLOUR },
    ...collectives.map(track => ({ intervals: busy[track], colour: COLLECTIVE_COLOUR })),
  ];
  const height = rows.length * ROW_PX;
  const bars = rows.flatMap(({ intervals, colour }, row) => bar(busyShares(p, intervals), colour, row * ROW_PX));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH_PX}" height="${height}" viewBox="0 0 ${COLUMNS} ${height}" preserveAspectRatio="none">${bars.join('')}</svg>`;
}

/** Of each column of the picture, 0..1. */
function busyShares({ bodyStartNs, bodyEndNs }: Profile, intervals: Intervals): Float64Array {
  const { startNs, endNs } = union(intervals);
  const widthNs = (bodyEndNs - bodyStartNs) / COLUMNS;
  const shares = new Float64Array(COLUMNS);
  if (!(widthNs > 0)) return shares;
  for (let i = 0; i < startNs.length; i++) {
    const [from, to] = [Math.max(startNs[i], bodyStartNs), Math.min(endNs[i], bodyEndNs)];
    for (let column = Math.floor((from - bodyStartNs) / widthNs); column < COLUMNS; column++) {
      const left = bodyStartNs + column * widthNs;
      if (left >= to) break;
      shares[column] += Math.max(0, Math.min(to, left + widthNs) - Math.max(from, left)) / widthNs;
    }
  }
  return shares;
}

/** Columns of one shade beside one another are one rectangle. */
function bar(shares: Float64Array, colour: string, y: number): string[] {
  const shades = Array.from(shares, share => Math.ceil(Math.min(1, share) * 10) / 10);
  const found: string[] = [];
  for (let from = 0; from < COLUMNS; ) {
    let to = from + 1;
    while (to < COLUMNS && shades[to] === shades[from]) to++;
    if (shades[from] > 0)
      found.push(`<rect x="${from}" y="${y}" width="${to - from}" height="${ROW_PX - 1}" fill="${colour}" opacity="${shades[from]}"/>`);
    from = to;
  }
  return found;
}
