/**
 * Where rows are: heights by how many lanes they have and what the user made of them. Pure: numbers in, numbers out, in
 * pixels from the top of the tracks. Pinned rows stay at the top; the others scroll under them.
 */
import type { Settings } from '../state/settings';
import type { RowSource } from './rows';

export interface Row extends RowSource {
  collapsed: boolean;
  pinned: boolean;
  topPx: number;
  heightPx: number;
  lanePx: number;
}

export interface Layout {
  rows: Row[];
  heightPx: number;
  /** Height of the pinned rows: what stays when the others scroll. */
  pinnedPx: number;
}

export const EMPTY_LAYOUT: Layout = { rows: [], heightPx: 0, pinnedPx: 0 };

const PADDING_PX = 4;
/** Between engines, queues and the rows of another profile. */
const GROUP_GAP_PX = 8;
const COLLAPSED_PX = 10;
/** Lane height by how many lanes a row has: few are roomy and carry text, many are dense. */
const LANE_PX = [
  { upTo: 1, px: 22 },
  { upTo: 4, px: 18 },
  { upTo: 10, px: 11 },
  { upTo: Number.POSITIVE_INFINITY, px: 6 },
];
/** There may be sixteen of them. */
const DMA_ENGINE_PX = 12;

export function layOutRows(sources: readonly RowSource[], settings: Pick<Settings, 'collapsed' | 'pinned' | 'rowScale'>): Layout {
  const rows: Row[] = [];
  let topPx = 0;
  let pinnedPx = 0;
  for (const source of sources) {
    const before = rows.at(-1);
    const pinned = settings.pinned.includes(source.name);
    if (before && (before.kind !== source.kind || before.side !== source.side || before.pinned !== pinned)) topPx += GROUP_GAP_PX;
    const collapsed = settings.collapsed.includes(source.name);
    const count = Math.max(1, source.lanes.length);
    const lanePx = collapsed ? COLLAPSED_PX / count : usualPx(source, count) * (settings.rowScale[source.name] ?? 1);
    const heightPx = lanePx * count + PADDING_PX * 2;
    rows.push({ ...source, collapsed, pinned, topPx, heightPx, lanePx });
    topPx += heightPx;
    if (pinned) pinnedPx = topPx;
  }
  return { rows, heightPx: topPx, pinnedPx };
}

const usualPx = ({ kind }: RowSource, lanes: number) => (kind === 'dma' ? DMA_ENGINE_PX : LANE_PX.find(({ upTo }) => lanes <= upTo)!.px);

/** From the top of the visible area. */
export const rowTopPx = (row: Row, scrollTop: number) => row.topPx - (row.pinned ? 0 : scrollTop);
export const laneTopPx = (row: Row, lane: number, scrollTop: number) => rowTopPx(row, scrollTop) + PADDING_PX + lane * row.lanePx;

/** The bar's height: a little air between lanes while there is room for it. */
export const barPx = (row: Row) => (row.lanePx > 8 ? row.lanePx - 2 : Math.max(1, row.lanePx - 0.5));

/** `yPx` from the top of the visible area. */
export function rowAt({ rows, pinnedPx }: Layout, yPx: number, scrollTop: number): Row | null {
  const inside = (row: Row) => yPx >= rowTopPx(row, scrollTop) && yPx < rowTopPx(row, scrollTop) + row.heightPx;
  return rows.find(row => inside(row) && (row.pinned || yPx >= pinnedPx)) ?? null;
}

/** Rows that touch a stretch of the visible area. */
export function rowsBetween({ rows }: Layout, fromPx: number, toPx: number, scrollTop: number): Row[] {
  const [top, bottom] = [Math.min(fromPx, toPx), Math.max(fromPx, toPx)];
  return rows.filter(row => rowTopPx(row, scrollTop) < bottom && rowTopPx(row, scrollTop) + row.heightPx > top);
}

export function laneAt(row: Row, yPx: number, scrollTop: number): number {
  const lane = Math.floor((yPx - rowTopPx(row, scrollTop) - PADDING_PX) / row.lanePx);
  return Math.max(0, Math.min(row.lanes.length - 1, lane));
}
