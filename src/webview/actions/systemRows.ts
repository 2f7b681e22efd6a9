/** Rows of the page's own system profile, grouped in another way. */
import { SYSTEM_GROUPINGS, type SystemGrouping } from '../../simulator/profile/systemRows';
import { withOwn } from '../data/stack';
import { modelOf } from '../data/systemModel';
import type { View } from '../view/view';

/** Events keep their numbers, so that what is selected stays selected. */
export function groupSystemRows(view: View, systemRows: SystemGrouping): void {
  const { model } = view;
  const { stack, title } = view.store.state;
  if (!model?.ungrouped) return;
  const regrouped = modelOf(model.ungrouped, systemRows);
  view.store.update({ systemRows, stack: withOwn(stack, title, regrouped) });
  view.announce(`Rows by ${SYSTEM_GROUPINGS[systemRows]}`);
}
