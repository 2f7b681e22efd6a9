/**
 * What follows from the state, by name: each worked out when it is asked for, and again only when something that it follows from
 * has changed. Pure; the page reads it through the `View`.
 */
import { predecessors, successors } from '../../simulator/analyze/dependencies';
import type { Lane } from '../../simulator/profile/lanes';
import { Marks, type Viewport } from '../../simulator/profile/windowMarks';
import { EventMask } from '../data/eventMask';
import type { Model } from '../data/model';
import { headed, limitsOf, OWN, ownOf } from '../data/stack';
import { type Selector, selectorsOf } from '../state/selector';
import { ALL_CORES, initialSettings } from '../state/settings';
import type { State } from '../state/viewState';
import { sharedHeights } from '../tracks/heights';
import { hitTest } from '../tracks/hit';
import { layOutRows, type TrackRow } from '../tracks/layout';
import { shownRows } from '../tracks/rows';
import { colourings } from '../tracks/stackColours';

/** Arrows beyond these say nothing any more. */
const MOST_ARROWS = 24;

const { key, derived, picked, steadyList } = selectorsOf<State>();
const stack = key('stack');
const isOwn = ({ profile, lanes }: TrackRow) => profile === OWN && lanes.length > 0;

/** Of the page's own profile; null until it is there. */
const model = (state: State): Model | null => ownOf(state.stack)?.model ?? null;

/** The whole time there is to see. */
const limits = derived([stack], limitsOf);

/** Those shown, top to bottom, before they have places. */
const rows = derived(
  [stack, picked('dmaRows', 'hidden', 'pinned', 'rowOrder', 'foldedProfiles', 'idleRows', 'collectiveRows', 'core')],
  shownRows,
);

/** All that could be shown of all profiles, in the same order. */
const everyRow = derived([stack, picked('dmaRows', 'pinned', 'rowOrder')], (profiles, settings) =>
  shownRows(profiles, { ...settings, hidden: [], foldedProfiles: [], idleRows: true, collectiveRows: false, core: ALL_CORES }).filter(
    ({ kind }) => kind !== 'idle',
  ),
);

const layout = derived([rows, picked('collapsed', 'pinned', 'rowScale'), stack], (sources, settings, profiles) =>
  layOutRows(sources, settings, headed(profiles)),
);

/** Of a counter and of the drawer, as the page has room for them. */
const heights = derived(
  [layout, key('roomPx'), picked('counters', 'counterPx', 'detailsPx', 'detailsOpen')],
  (placed, roomPx, settings) => {
    const { counters, counterPx, detailsPx, detailsOpen } = settings;
    return sharedHeights({
      rowsPx: placed.heightPx,
      roomPx,
      counters: counters.length,
      counterPx,
      drawerPx: detailsOpen ? detailsPx : 0,
      isCounterSet: counterPx !== initialSettings.counterPx,
      isDrawerSet: !detailsOpen || detailsPx !== initialSettings.detailsPx,
    });
  },
);

/** The rows of each profile show a time of their own: by the profile's number. */
const viewports = derived([stack, key('span'), key('widthPx')], (profiles, { startNs, endNs }, widthPx) => {
  const shown = ({ shiftNs }: { shiftNs: number }): Viewport => ({ startNs: startNs + shiftNs, endNs: endNs + shiftNs, widthPx });
  return new Map(profiles.map(profile => [profile.number, shown(profile)]));
});

const scratch = new Marks();

/** What is under the pointer. */
const hit = derived([layout, viewports, key('pointer'), key('scrollTop')], (placed, views, pointer, scrollTop) => {
  if (!pointer || pointer.yPx === null) return null;
  return hitTest(placed, row => views.get(row.profile)!, { xPx: pointer.xPx, yPx: pointer.yPx, scrollTop }, scratch);
});

/** Which events stand out: the set that search or the editor marked. */
const mask = derived([model, key('found'), key('marked')], (of, found, marked) => {
  const set = found ?? marked;
  return of && set ? new EventMask(of.events, set.ids, of.tracks) : null;
});

/** Events with an arrow to the selected one, and from it. */
const links = derived([model, key('selected'), key('arrows')], (of, selected, wanted) => {
  if (!of || selected === null || !wanted) return { before: [], after: [] };
  const ids = (list: { event: number }[]) => list.slice(0, MOST_ARROWS).map(dependency => dependency.event);
  const producers = of.analysis.producers();
  return { before: ids(predecessors(of.profile, producers, selected)), after: ids(successors(of.profile, producers, selected)) };
});

export const DERIVED = {
  model,
  limits,
  everyRow,
  layout,
  heights,
  viewports,
  hit,
  mask,
  links,
  colourings: derived([stack, key('colourBy'), key('layerDepth')], colourings),
  /** The span that a running move will end at, else the present one. */
  target: (state: State) => state.motion?.to ?? state.span,
  /** Lanes of the page's own rows, the same list while only their places change. */
  ownLanes: steadyList<readonly Lane[]>(derived([layout], placed => placed.rows.filter(isOwn).map(row => row.lanes))),
} satisfies Record<string, Selector<State, unknown>>;

export type Derived = { readonly [K in keyof typeof DERIVED]: ReturnType<(typeof DERIVED)[K]> };
