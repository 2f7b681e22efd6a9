/** Navigation along dependences: to an event's predecessors and successors. */
import { type Dependency, predecessors, successors } from '../../simulator/analyze/dependencies';
import type { DependencyWalk } from '../state/viewState';
import type { View } from '../view/view';
import { goTo } from './selection';

export type Direction = DependencyWalk['direction'];

const LISTS = { predecessors, successors };

export function dependenciesOf(view: View, event: number, direction: Direction): Dependency[] {
  const { model } = view;
  return model ? LISTS[direction](model.profile, model.analysis.producers(), event) : [];
}

export function cycleDependency(view: View, direction: Direction): void {
  const { selected, walk } = view.state;
  if (selected === null) return;
  const on = walk?.direction === direction && walk.shown === selected ? walk : null;
  const from = on?.from ?? selected;
  const list = dependenciesOf(view, from, direction);
  if (list.length === 0) {
    view.announce(`It has no ${direction}.`);
    return;
  }
  const at = on ? (on.at + 1) % list.length : 0;
  view.store.update({ walk: { from, direction, at, shown: list[at].event } });
  goTo(view, list[at].event);
}
