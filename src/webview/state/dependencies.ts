/** Walking along dependences: to an event's predecessors and successors, one after the other. */
import { type Dependency, predecessors, successors } from '../../simulator/analyze/dependencies';
import { goTo } from './selection';
import type { View } from './view';

export type Direction = 'predecessors' | 'successors';

const LISTS = { predecessors, successors };

/** The event a walk began at, so that the next press goes to its next dependence and not to one of where it landed. */
export interface Walk {
  from: number;
  direction: Direction;
  at: number;
  /** Where it landed. */
  shown: number;
}

export function dependenciesOf(view: View, event: number, direction: Direction): Dependency[] {
  const { model } = view;
  return model ? LISTS[direction](model.profile, model.analysis.producers(), event) : [];
}

export function cycleDependency(view: View, direction: Direction): void {
  const { selected } = view.store.state;
  if (selected === null) return;
  const { walk } = view;
  const on = walk?.direction === direction && walk.shown === selected ? walk : null;
  const from = on?.from ?? selected;
  const list = dependenciesOf(view, from, direction);
  if (list.length === 0) {
    view.announce(`It has no ${direction}.`);
    return;
  }
  const at = on ? (on.at + 1) % list.length : 0;
  view.walk = { from, direction, at, shown: list[at].event };
  goTo(view, list[at].event);
}
