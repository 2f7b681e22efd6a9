/** The warning that is shown as bands over the rows, with its events marked. */
import { plural } from '../math/units';
import type { View } from '../view/view';
import { markEvents } from './searching';

/** By its place in the order of the analysis. */
export function showWarning(view: View, index: number): void {
  const { title, events, rule } = view.model!.analysis.warnings()[index];
  view.store.update({ warning: index, marked: null });
  // a gap's event is what came after it, not what is wrong
  if (rule !== 'gap' && events.length > 0)
    markEvents(view, { ids: Uint32Array.from(events), label: `${plural(events.length, 'event')}: ${title}` }, false);
}

export const hideWarning = (view: View): void => view.store.update({ warning: null, marked: null });
