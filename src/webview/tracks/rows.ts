/**
 * Which rows there are, in which order: engines as AWS's viewers list them, DMA queues or DMA engines, then those of a
 * second profile; less what is hidden, pinned ones first, moved ones where they were put. Pure.
 */
import type { TrackLanes } from '../../simulator/profile/lanes';
import type { Model } from '../data/model';
import type { Settings } from '../state/settings';

export type RowKind = 'engine' | 'queue' | 'dma';

export interface RowSource {
  /** Unique, and what settings keep. */
  name: string;
  kind: RowKind;
  /** Index in `profile.tracks`; of a DMA engine -1. */
  track: number;
  lanes: TrackLanes['lanes'];
  events: number;
  /** 1: of the profile compared with. */
  side: 0 | 1;
}

const ENGINE_ORDER = ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync'];
/** Before the names of the other profile's rows. */
export const OTHER_SIDE = 'B · ';

export type RowSettings = Pick<Settings, 'dmaRows' | 'hidden' | 'pinned' | 'rowOrder'>;

/** Every row that could be shown, in the usual order. */
export function allRows(model: Model, dmaRows: Settings['dmaRows'], side: 0 | 1 = 0): RowSource[] {
  const prefix = side === 0 ? '' : OTHER_SIDE;
  const own = (track: TrackLanes): RowSource => {
    const { name, kind } = model.profile.tracks[track.track];
    return { name: prefix + name, kind, track: track.track, lanes: track.lanes, events: track.events, side };
  };
  const byEngine = (track: TrackLanes): RowSource => ({
    name: `${prefix}DMA-E${track.track}`,
    kind: 'dma',
    track: -1,
    lanes: track.lanes,
    events: track.events,
    side,
  });
  const rows = model.tracks.map(own);
  const queues = dmaRows === 'engine' ? [] : rows.filter(row => row.kind === 'queue');
  const engines = dmaRows === 'queue' ? [] : model.analysis.dmaEngines().map(byEngine);
  return [...rows.filter(row => row.kind === 'engine').sort((a, b) => rank(a) - rank(b) || a.track - b.track), ...queues, ...engines];
}

/** By core, as captures of several name it (`Tensor (nc1)`), then by engine. */
function rank({ name }: RowSource): number {
  const [, engine, core] = /^(\w*)(?: \(nc(\d+)\))?$/.exec(name.replace(OTHER_SIDE, '')) ?? [];
  const place = ENGINE_ORDER.indexOf(engine);
  return Number(core ?? 0) * 100 + (place < 0 ? ENGINE_ORDER.length : place);
}

/** The rows shown, top to bottom. */
export function shownRows(model: Model, other: Model | null, settings: RowSettings): RowSource[] {
  const { dmaRows, hidden, pinned, rowOrder } = settings;
  const all = [...allRows(model, dmaRows), ...(other ? allRows(other, dmaRows, 1) : [])];
  const shown = inUserOrder(all, rowOrder).filter(row => !hidden.includes(row.name));
  return [...shown.filter(row => pinned.includes(row.name)), ...shown.filter(row => !pinned.includes(row.name))];
}

/** Rows that the user placed keep their order among themselves and take the places of the first of them. */
export function inUserOrder<R extends { name: string }>(rows: readonly R[], order: readonly string[]): R[] {
  const placed = order.flatMap(name => rows.find(row => row.name === name) ?? []);
  if (placed.length === 0) return [...rows];
  const queue = [...placed];
  return rows.map(row => (placed.includes(row) ? queue.shift()! : row));
}
