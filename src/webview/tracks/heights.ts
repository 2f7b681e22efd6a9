/**
 * How the page's height is shared: the rows first, then the counters, then the drawer. What the user has set stays as it is. Pure;
 * in pixels.
 */

/** A counter's line can still be read. */
const LEAST_COUNTER_PX = 18;
/** Tabs and a few lines below them. */
const LEAST_DRAWER_PX = 140;

export interface Wanted {
  /** Of all rows, without scrolling. */
  rowsPx: number;
  /** What the page has for rows, counters and drawer. */
  roomPx: number;
  counters: number;
  counterPx: number;
  drawerPx: number;
  /** Set by the user: does not give way. */
  isCounterSet: boolean;
  isDrawerSet: boolean;
}

/** Where the rows do not fit, the counters become lower, then the drawer, each down to what can still be read. */
export function sharedHeights(wanted: Wanted): { counterPx: number; drawerPx: number } {
  const { rowsPx, roomPx, counters, counterPx, drawerPx, isCounterSet, isDrawerSet } = wanted;
  const missingPx = rowsPx + counters * counterPx + drawerPx - roomPx;
  const countersGivePx = isCounterSet ? 0 : given(missingPx, counters * (counterPx - LEAST_COUNTER_PX));
  const drawerGivesPx = isDrawerSet ? 0 : given(missingPx - countersGivePx, drawerPx - LEAST_DRAWER_PX);
  return { counterPx: counters > 0 ? Math.floor(counterPx - countersGivePx / counters) : counterPx, drawerPx: drawerPx - drawerGivesPx };
}

const given = (missingPx: number, mostPx: number) => Math.max(0, Math.min(missingPx, mostPx));
