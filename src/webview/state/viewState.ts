/**
 * Everything that can change while one looks at profiles. The one state of the page: actions change it, what is derived from it
 * is `view/derived.ts`.
 */
import type { Stack } from '../data/stack';
import type { TimeSpan } from '../math/timeSpan';
import { buildTheme, type Theme } from '../render/theme';
import { type ExperimentShares, type ExperimentsState, NO_EXPERIMENTS, NO_SHARES } from './experimentsState';
import { type MarkerHistory, NO_HISTORY } from './markerHistory';
import type { Motion } from './motion';
import { type Progress, WAITING } from './progress';
import { initialSettings, type ViewSettings } from './settings';
import type { ValuesState } from './valuesState';

/** Events marked because a search or the editor asked for them. */
export interface EventSet {
  /** Ascending by start time. */
  ids: Uint32Array;
  /** `12 events of kernel.py:42`. */
  label: string;
}

/** Where the pointer is, in view pixels from the top left of the tracks; what is under it is derived. */
export interface Pointer {
  xPx: number;
  /** null over the axis and the counters. */
  yPx: number | null;
}

/** A drag in progress over the tracks: in time, and for a box in view pixels from the top too. */
export interface DragBand {
  fromNs: number;
  toNs: number;
  rowsPx: { fromPx: number; toPx: number } | null;
}

/** Time x rows, chosen by the user. */
export interface BoxSelection extends TimeSpan {
  /** Names of the rows inside. */
  rows: readonly string[];
}

/** A walk along dependences: the event it began at, so that the next press goes to its next dependence and not to one of where it landed. */
export interface DependencyWalk {
  from: number;
  direction: 'predecessors' | 'successors';
  at: number;
  /** Where it landed. */
  shown: number;
}

export interface State extends ViewSettings {
  /** What is shown, top to bottom; empty until a profile is there. */
  stack: Stack;
  status: 'loading' | 'ready' | 'empty' | 'failed';
  title: string;
  failure: string;
  /** Of the profile that is on its way, while there is none. */
  loading: Progress;
  /** Ranks of the run that the host can open; null: it is one rank alone, or the host has links of its own. */
  rankTabs: { labels: readonly string[]; own: number } | null;
  canOpenSource: boolean;
  /** The host can carry out experiments. */
  canExperiment: boolean;
  /** The host can run the kernel again. */
  canRunAgain: boolean;
  span: TimeSpan;
  /** Of the span, where it moves. */
  motion: Motion | null;
  /** Of the drawing area of the rows, in the window. Events of a pointer are told from them: to ask the page then would make it lay itself out. */
  leftPx: number;
  topPx: number;
  widthPx: number;
  heightPx: number;
  /** Of the page without what has a fixed height: for rows, counters and drawer. */
  roomPx: number;
  /** Device pixels in one of those. */
  pixelRatio: number;
  theme: Theme;
  selected: number | null;
  /** Number of the collective that is looked at, among those of the run's ranks. */
  collective: number | null;
  walk: DependencyWalk | null;
  pointer: Pointer | null;
  band: DragBand | null;
  box: BoxSelection | null;
  searchError: string;
  found: EventSet | null;
  /** Index in `found.ids` of the match last visited, or -1. */
  foundAt: number;
  marked: EventSet | null;
  scrollTop: number;
  /** Why the profile that was given last is not stacked; empty: it is. */
  stackProblem: string;
  /** Why the timeline of a kernel call could not be opened; empty: it could. */
  launchRefusal: string;
  /** Marker that Delete deletes. */
  marker: number | null;
  markerHistory: MarkerHistory;
  /** Marker that differences are counted from; null: the one before each. */
  markerBase: number | null;
  /** Of the table of events, from 0; another time than `of` begins with its first page. */
  eventPage: { of: TimeSpan | null; page: number };
  /** Of the page's own profile, with its checks and recorded errors; null: not counted yet. */
  warningCount: number | null;
  /** Index in the profile's warnings of the one shown as bands; null: all, faintly. */
  warning: number | null;
  values: ValuesState;
  valuesProgress: Progress;
  experiments: ExperimentsState;
  experimentShares: ExperimentShares;
  /** The floating part that is open, if any. */
  open: 'help' | 'tracks' | 'goToTime' | 'settings' | null;
}

export const initialState: State = {
  ...initialSettings,
  stack: [],
  status: 'loading',
  title: 'Timeline',
  failure: '',
  loading: WAITING,
  rankTabs: null,
  canOpenSource: false,
  canExperiment: false,
  canRunAgain: false,
  span: { startNs: 0, endNs: 1 },
  motion: null,
  leftPx: 0,
  topPx: 0,
  widthPx: 1,
  heightPx: 1,
  roomPx: Number.POSITIVE_INFINITY,
  pixelRatio: 1,
  theme: buildTheme(() => '', false),
  selected: null,
  collective: null,
  walk: null,
  pointer: null,
  band: null,
  box: null,
  searchError: '',
  found: null,
  foundAt: -1,
  marked: null,
  scrollTop: 0,
  stackProblem: '',
  launchRefusal: '',
  marker: null,
  markerHistory: NO_HISTORY,
  markerBase: null,
  eventPage: { of: null, page: 0 },
  warningCount: null,
  warning: null,
  values: { is: 'unknown' },
  valuesProgress: { text: '', share: null },
  experiments: NO_EXPERIMENTS,
  experimentShares: NO_SHARES,
  open: null,
};
