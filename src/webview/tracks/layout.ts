/**
 * Which rows there are and where: engines in the order of AWS's viewers, then DMA queues. Pure: numbers in, numbers out,
 * in pixels from the top of the (scrollable) tracks.
 */
import type { Lane, TrackLanes } from '../../simulator/profile/lanes';
import type { Profile, TrackKind } from '../../simulator/profile/profile';

const ENGINE_ORDER = ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync'];

export interface Row {
  track: number;
  name: string;
  kind: TrackKind;
  lanes: readonly Lane[];
  events: number;
  collapsed: boolean;
  topPx: number;
  heightPx: number;
  lanePx: number;
}

export interface Layout {
  rows: Row[];
  heightPx: number;
}

const PADDING_PX = 4;
/** Between engines and queues. */
const GROUP_GAP_PX = 8;
const COLLAPSED_PX = 10;
/** Lane height by how many lanes a row has: few are roomy and carry text, many are dense. */
const LANE_PX = [
  { upTo: 1, px: 22 },
  { upTo: 4, px: 18 },
  { upTo: 10, px: 11 },
  { upTo: Number.POSITIVE_INFINITY, px: 6 },
];

export function layOutRows(profile: Profile, tracks: readonly TrackLanes[], collapsed: readonly string[]): Layout {
  const rows: Row[] = [];
  let topPx = 0;
  for (const { track, lanes, events } of inOrder(profile, tracks)) {
    const { name, kind } = profile.tracks[track];
    if (kind === 'queue' && rows.at(-1)?.kind === 'engine') topPx += GROUP_GAP_PX;
    const closed = collapsed.includes(name);
    const count = Math.max(1, lanes.length);
    const lanePx = closed ? COLLAPSED_PX / count : LANE_PX.find(({ upTo }) => count <= upTo)!.px;
    const heightPx = lanePx * count + PADDING_PX * 2;
    rows.push({ track, name, kind, lanes, events, collapsed: closed, topPx, heightPx, lanePx });
    topPx += heightPx;
  }
  return { rows, heightPx: topPx };
}

function inOrder(profile: Profile, tracks: readonly TrackLanes[]): TrackLanes[] {
  const rank = ({ track }: TrackLanes) => {
    const { kind, name } = profile.tracks[track];
    if (kind === 'queue') return 100;
    const place = ENGINE_ORDER.indexOf(name);
    return place < 0 ? 50 : place;
  };
  return [...tracks].sort((a, b) => rank(a) - rank(b) || a.track - b.track);
}

export const laneTopPx = (row: Row, lane: number) => row.topPx + PADDING_PX + lane * row.lanePx;

/** The bar's height: a little air between lanes while there is room for it. */
export const barPx = (row: Row) => (row.lanePx > 8 ? row.lanePx - 2 : Math.max(1, row.lanePx - 0.5));

export function rowAt({ rows }: Layout, yPx: number): Row | null {
  return rows.find(row => yPx >= row.topPx && yPx < row.topPx + row.heightPx) ?? null;
}

export function laneAt(row: Row, yPx: number): number {
  const lane = Math.floor((yPx - row.topPx - PADDING_PX) / row.lanePx);
  return Math.max(0, Math.min(row.lanes.length - 1, lane));
}
