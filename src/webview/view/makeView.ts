/** The `View` that actions and panels share, of a store. */
import type { Store } from '../state/store';
import { Tracker } from '../state/tracker';
import type { State } from '../state/viewState';
import { DERIVED, type Derived } from './derived';
import type { AppPart, View } from './view';

export function makeView(store: Store<State>, app: AppPart): View {
  const tracker = new Tracker(() => store.state);
  const view = {
    ...app,
    store,
    state: tracker.state,
    read: tracker.read.bind(tracker),
    drawing: tracker.drawing.bind(tracker),
    during: tracker.during.bind(tracker),
    viewport: ({ profile }) => view.viewports.get(profile)!,
  } as View;
  const reader = (name: keyof Derived) => ({ get: () => tracker.read<unknown>(DERIVED[name]) });
  const names = Object.keys(DERIVED) as (keyof Derived)[];
  return Object.defineProperties(view, Object.fromEntries(names.map(name => [name, reader(name)])));
}
