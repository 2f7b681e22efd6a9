/**
 * Which rows there are, in which order: what went wrong, engines as AWS's viewers list them, DMA queues or DMA engines, then those of a
 * second profile; less what is hidden, pinned ones first, moved ones where they were put. Pure.
 */
import type { TrackLanes } from '../../simulator/profile/lanes';
import type { Model } from '../data/model';
import type { Settings } from '../state/settings';

export type RowKind = 'finding' | 'engine' | 'queue' | 'dma';

export interface RowSource {
  /** Unique, and what settings keep. */
  name: string;
  kind: RowKind;
  /** Index in `profile.tracks`; -1 of rows that are no track. */
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
  const pieces = (name: string, { lanes, events }: TrackLanes): RowSource => ({
    name: prefix + name,
    kind: 'dma',
    track: -1,
    lanes,
    events,
    side,
  });
  const rows = model.tracks.map(own);
  const isShown = (kind: 'queue' | 'engine') => dmaRows === kind || dmaRows === 'both';
  return [
    ...findingRow(model, prefix, side),
    ...rows.filter(row => row.kind === 'engine').sort((a, b) => rank(a) - rank(b) || a.track - b.track),
    ...(isShown('queue') ? rows.filter(row => row.kind === 'queue') : []),
    ...(isShown('engine') ? model.analysis.dmaEngines().map(row => pieces(`DMA-E${row.track}`, row)) : []),
    ...(dmaRows === 'packets'
      ? model.analysis.dmaPackets().map(row => pieces(`${model.profile.tracks[row.track].name} packets`, row))
      : []),
  ];
}

/** Only where something was found. */
function findingRow({ analysis }: Model, prefix: string, side: 0 | 1): RowSource[] {
  const lanes = analysis.findingLanes();
  if (lanes.length === 0) return [];
  return [{ name: `${prefix}Errors`, kind: 'finding', track: -1, lanes, events: analysis.findings().length, side }];
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
