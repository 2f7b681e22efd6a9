/** The collective that is looked at, of all ranks on the page. */
import { instructionRows } from '../../simulator/analyze/eventAccess';
import { collectivePart } from '../data/collectiveParts';
import { OWN, type StackedProfile } from '../data/stack';
import type { View } from '../view/view';
import { reveal } from './navigation';
import { select } from './selection';

/** Selects the part of the page's own rank, where that has one. */
export function chooseCollective(view: View, number: number): void {
  const { stack } = view.store.state;
  const eventIn = ({ model }: StackedProfile): number | null => {
    const part = collectivePart(model.profile, number);
    return part ? instructionRows(model.profile) + part.transfer : null;
  };
  const own = stack.find(profile => profile.number === OWN);
  const event = own ? eventIn(own) : null;
  select(view, event);
  view.store.update({ collective: number, tab: 'ranks' });
  if (event !== null) reveal(view, event);
}
