/**
 * Where rows are: heights by how many lanes they have and what the user made of them. Pure: numbers in, numbers out, in
 * pixels from the top of the tracks. Pinned rows stay at the top; the others scroll under them.
 */
import type { ViewSettings } from '../state/settings';
import type { RowSource } from './rows';

export interface TrackRow extends RowSource {
  collapsed: boolean;
  pinned: boolean;
  topPx: number;
  heightPx: number;
  lanePx: number;
}

/** The line above a stacked profile's rows. */
export interface Head {
  profile: number;
  topPx: number;
}

export interface Layout {
  rows: TrackRow[];
  heads: Head[];
  heightPx: number;
  /** Height of the pinned rows: what stays when the others scroll. */
  pinnedPx: number;
}

export const EMPTY_LAYOUT: Layout = { rows: [], heads: [], heightPx: 0, pinnedPx: 0 };

const PADDING_PX = 4;
/** Between engines and queues. */
const GROUP_GAP_PX = 8;
export const HEAD_PX = 26;
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
/** Of the line that stands for rows: room for its text. */
const IDLE_PX = 14;

type LayoutSettings = Pick<ViewSettings, 'collapsed' | 'pinned' | 'rowScale'>;

/** @param headed numbers of the profiles that have a head, top to bottom; none: the rows alone */
export function layOutRows(sources: readonly RowSource[], settings: LayoutSettings, headed: readonly number[] = []): Layout {
  const rows: TrackRow[] = [];
  const heads: Head[] = [];
  let heightPx = 0;
  const place = (group: readonly RowSource[]) => {
    for (const source of group) {
      const before = rows.at(-1);
      const row = rowOf(source, settings);
      if (before && source !== group[0] && before.kind !== row.kind) heightPx += GROUP_GAP_PX;
      rows.push({ ...row, topPx: heightPx });
      heightPx += row.heightPx;
    }
  };
  const isPinned = ({ name }: RowSource) => settings.pinned.includes(name);
  place(sources.filter(isPinned));
  const pinnedPx = heightPx;
  const rest = sources.filter(source => !isPinned(source));
  if (pinnedPx > 0 && rest.length > 0) heightPx += GROUP_GAP_PX;
  if (headed.length === 0) place(rest);
  for (const profile of headed) {
    heads.push({ profile, topPx: heightPx });
    heightPx += HEAD_PX;
    place(rest.filter(row => row.profile === profile));
  }
  return { rows, heads, heightPx, pinnedPx };
}

function rowOf(source: RowSource, { collapsed: folded, pinned, rowScale }: LayoutSettings): Omit<TrackRow, 'topPx'> {
  const collapsed = folded.includes(source.name);
  const count = Math.max(1, source.lanes.length);
  const lanePx = collapsed ? COLLAPSED_PX / count : usualPx(source, count) * (rowScale[source.name] ?? 1);
  return { ...source, collapsed, pinned: pinned.includes(source.name), heightPx: lanePx * count + PADDING_PX * 2, lanePx };
}

function usualPx({ kind }: RowSource, lanes: number): number {
  if (kind === 'dma') return DMA_ENGINE_PX;
  return kind === 'idle' ? IDLE_PX : LANE_PX.find(({ upTo }) => lanes <= upTo)!.px;
}

/** Of the heads, from the top of the visible area: that of the rows at the top stays there until the next one pushes it away. */
export function headTopsPx({ heads, pinnedPx, heightPx }: Layout, scrollTop: number): number[] {
  return heads.map(({ topPx }, i) => {
    const endPx = heads[i + 1]?.topPx ?? heightPx;
    return Math.min(Math.max(topPx - scrollTop, pinnedPx), endPx - scrollTop - HEAD_PX);
  });
}

/** From the top of the visible area. */
export const rowTopPx = (row: TrackRow, scrollTop: number) => row.topPx - (row.pinned ? 0 : scrollTop);
export const laneTopPx = (row: TrackRow, lane: number, scrollTop: number) => rowTopPx(row, scrollTop) + PADDING_PX + lane * row.lanePx;

/** The bar's height: a little air between lanes while there is room for it. */
export const barPx = (row: TrackRow) => (row.lanePx > 8 ? row.lanePx - 2 : Math.max(1, row.lanePx - 0.5));

/** `yPx` from the top of the visible area. */
export function rowAt({ rows, pinnedPx }: Layout, yPx: number, scrollTop: number): TrackRow | null {
  const inside = (row: TrackRow) => yPx >= rowTopPx(row, scrollTop) && yPx < rowTopPx(row, scrollTop) + row.heightPx;
  return rows.find(row => inside(row) && (row.pinned || yPx >= pinnedPx)) ?? null;
}

/** Rows that touch a stretch of the visible area. */
export function rowsBetween({ rows }: Layout, fromPx: number, toPx: number, scrollTop: number): TrackRow[] {
  const [top, bottom] = [Math.min(fromPx, toPx), Math.max(fromPx, toPx)];
  return rows.filter(row => rowTopPx(row, scrollTop) < bottom && rowTopPx(row, scrollTop) + row.heightPx > top);
}

export function laneAt(row: TrackRow, yPx: number, scrollTop: number): number {
  const lane = Math.floor((yPx - rowTopPx(row, scrollTop) - PADDING_PX) / row.lanePx);
  return Math.max(0, Math.min(row.lanes.length - 1, lane));
}
