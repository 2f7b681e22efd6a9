/**
 * Which rows there are, in which order: what went wrong, of each core its engines as AWS's viewers list them and its DMA queues; DMA engines; one stacked
 * profile after another; less what is hidden, pinned ones first, moved ones where they were put in their profile, those without events folded into
 * one line at the end of it. Pure.
 */
import type { TrackLanes } from '../../simulator/profile/lanes';
import { coresOf } from '../../simulator/profile/ofCore';
import type { Profile } from '../../simulator/profile/profile';
import { isCcQueue } from '../../simulator/vocabulary/queues';
import { isOfRow } from '../data/findingLanes';
import type { Model } from '../data/model';
import { letterOf, OWN, rowName, type StackedProfile } from '../data/stack';
import type { ViewSettings } from '../state/settings';

/** `layers`: visits of layers of one depth. `idle`: the line that stands for the rows without events. */
export type RowKind = 'finding' | 'layers' | 'system' | 'engine' | 'queue' | 'dma' | 'idle';

export interface RowSource {
  /** Unique, and what settings keep (`rowName`). */
  name: string;
  /** What its track is called, the same in every profile. */
  label: string;
  kind: RowKind;
  /** Index in `profile.tracks`; -1 of rows that are no track. */
  track: number;
  /** Of a row of layers, from 1. */
  depth?: number;
  lanes: TrackLanes['lanes'];
  events: number;
  /** Number of its profile. */
  profile: number;
}

const IDLE_NAME = 'idle rows';

const ENGINE_ORDER = ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync'];

export type RowSettings = Pick<
  ViewSettings,
  'dmaRows' | 'hidden' | 'pinned' | 'rowOrder' | 'foldedProfiles' | 'idleRows' | 'collectiveRows' | 'core'
>;

/** Whether rows are made of the busy intervals of DMA engines. */
export const showsSlices = (dmaRows: ViewSettings['dmaRows']): boolean => dmaRows !== 'queue';

/** Every row of a profile that could be shown, in the usual order. */
export function allRows(model: Model, dmaRows: ViewSettings['dmaRows'], number = OWN): RowSource[] {
  const named = (label: string) => ({ name: rowName(number, label), label, profile: number });
  const own = ({ track, lanes, events }: TrackLanes): RowSource => {
    const { name, kind } = model.profile.tracks[track];
    return { ...named(name), kind, track, lanes, events };
  };
  const pieces = (name: string, { lanes, events }: TrackLanes): RowSource => ({ ...named(name), kind: 'dma', track: -1, lanes, events });
  const rows = model.tracks.map(own);
  const coreOf = ({ track }: RowSource) => model.profile.tracks[track].core ?? 0;
  const isShown = (kind: 'queue' | 'engine') => dmaRows === kind || dmaRows === 'both';
  return [
    ...findingRow(model, named('Errors')),
    ...model.analysis.layerLanes().map(
      ({ track: depth, lanes, events }): RowSource => ({
        ...named(depth === 1 ? 'Layers' : `Layers ${depth}`),
        ...{ kind: 'layers', track: -1, depth, lanes, events },
      }),
    ),
    ...rows
      .filter(({ kind }) => kind !== 'queue' || isShown('queue'))
      .sort((a, b) => coreOf(a) - coreOf(b) || rank(a) - rank(b) || a.track - b.track),
    ...(isShown('engine') ? model.analysis.dmaEngines().map(row => pieces(`DMA-E${row.track}`, row)) : []),
    ...(dmaRows === 'packets'
      ? model.analysis.dmaPackets().map(row => pieces(`${model.profile.tracks[row.track].name} packets`, row))
      : []),
  ];
}

/** Only where something was found. */
function findingRow({ analysis }: Model, named: Pick<RowSource, 'name' | 'label' | 'profile'>): RowSource[] {
  const lanes = analysis.findingLanes();
  if (lanes.length === 0) return [];
  return [{ ...named, kind: 'finding', track: -1, lanes, events: analysis.findings().filter(isOfRow).length }];
}

/** Engines as AWS's viewers list them, then queues. */
function rank({ label, kind }: RowSource): number {
  if (kind === 'system') return -1;
  if (kind === 'queue') return ENGINE_ORDER.length + 1;
  const place = ENGINE_ORDER.indexOf(label.replace(/ \(nc\d+\)$/, ''));
  return place < 0 ? ENGINE_ORDER.length : place;
}

/** The rows shown, top to bottom. */
export function shownRows(stack: readonly Pick<StackedProfile, 'number' | 'model'>[], settings: RowSettings): RowSource[] {
  const { dmaRows, hidden, pinned, rowOrder, foldedProfiles, idleRows, collectiveRows, core } = settings;
  // the rows of one that is alone have no head to unfold them by
  const open = stack.filter(({ number }) => stack.length === 1 || !foldedProfiles.includes(letterOf(number)));
  const shown = open.flatMap(({ model, number }) => {
    const isOther = ofOtherCore(model.profile, core);
    const rows = inUserOrder(allRows(model, dmaRows, number), rowOrder).filter(row => !hidden.includes(row.name) && !isOther(row));
    if (collectiveRows && stack.length > 1) return rows.filter(row => isCcQueue(row.label));
    const idle = rows.filter(row => row.events === 0 && !pinned.includes(row.name));
    // where nothing ran at all there is nothing to make room for
    if (idle.length === 0 || idle.length === rows.length) return rows;
    return [...(idleRows ? rows : rows.filter(row => !idle.includes(row))), idleLine(idle.length, number)];
  });
  return [...shown.filter(row => pinned.includes(row.name)), ...shown.filter(row => !pinned.includes(row.name))];
}

/** Rows that are of no core stay. */
function ofOtherCore(profile: Profile, core: number): (row: RowSource) => boolean {
  if (!coresOf(profile).includes(core)) return () => false;
  return ({ track }) => track >= 0 && (profile.tracks[track].core ?? 0) !== core;
}

const idleLine = (count: number, profile: number): RowSource => ({
  name: rowName(profile, IDLE_NAME),
  label: `${count} idle row${count === 1 ? '' : 's'}`,
  kind: 'idle',
  track: -1,
  lanes: [],
  events: 0,
  profile,
});

/** Rows that the user placed keep their order among themselves and take the places of the first of them. */
export function inUserOrder<R extends { name: string }>(rows: readonly R[], order: readonly string[]): R[] {
  const placed = order.flatMap(name => rows.find(row => row.name === name) ?? []);
  if (placed.length === 0) return [...rows];
  const queue = [...placed];
  return rows.map(row => (placed.includes(row) ? queue.shift()! : row));
}
