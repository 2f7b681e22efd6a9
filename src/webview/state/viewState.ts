/** Everything that can change while one looks at a profile. The one state of the store; actions.ts changes it. */
import type { TimeSpan } from '../math/timeSpan';

export type ColourBy = 'opcode' | 'engine' | 'stall' | 'line';

/** Events marked because a search or the editor asked for them. */
export interface EventSet {
  /** Ascending by start time. */
  ids: Uint32Array;
  /** `12 events of kernel.py:42`. */
  label: string;
}

/** Where the pointer is, in view pixels from the top left of the tracks; what is under it is derived (`View.hit`). */
export interface Pointer {
  xPx: number;
  /** null over the axis and the counters. */
  yPx: number | null;
}

/** A drag in progress over the tracks, in time. */
export interface DragBand {
  fromNs: number;
  toNs: number;
}

export interface State {
  status: 'loading' | 'ready' | 'empty' | 'failed';
  title: string;
  failure: string;
  canOpenSource: boolean;
  span: TimeSpan;
  selected: number | null;
  pointer: Pointer | null;
  band: DragBand | null;
  colourBy: ColourBy;
  searchText: string;
  searchError: string;
  found: EventSet | null;
  /** Index in `found.ids` of the match last visited, or -1. */
  foundAt: number;
  marked: EventSet | null;
  collapsed: readonly string[];
  scrollTop: number;
  labelsPx: number;
  detailsPx: number;
  detailsOpen: boolean;
  helpOpen: boolean;
}

export const initialState: State = {
  status: 'loading',
  title: 'Timeline',
  failure: '',
  canOpenSource: false,
  span: { startNs: 0, endNs: 1 },
  selected: null,
  pointer: null,
  band: null,
  colourBy: 'opcode',
  searchText: '',
  searchError: '',
  found: null,
  foundAt: -1,
  marked: null,
  collapsed: [],
  scrollTop: 0,
  labelsPx: 148,
  detailsPx: 190,
  detailsOpen: true,
  helpOpen: false,
};
