/** The way from an execution of a system profile to its device profile. */
import { canBeOf, deviceIds, isExecution } from '../../simulator/analyze/executions';
import { showDevice } from '../actions/executions';
import { letterOf, OWN } from '../data/stack';
import { element } from '../dom/element';
import { link } from '../panels/links';
import type { View } from '../view/view';

const HINT = 'Add its device profile in the tab Compare, or name both files: view SYSTEM DEVICE.';

/** Null for an event that is no execution. */
export function deviceProfiles(view: View, event: number): HTMLElement | null {
  const { profile } = view.model!;
  if (!isExecution(profile, event)) return null;
  const devices = view.state.stack.filter(({ number, model }) => number !== OWN && !model.profile.system);
  const items = devices.map(({ number, title, execution }) => {
    const fits = canBeOf(profile, event, deviceIds(title));
    const letter = letterOf(number);
    const text = execution === event ? `${letter} is at this execution` : `Show ${letter} here`;
    const about = fits ? 'Its ids are those of this execution' : 'Its name has no ids of this execution';
    const name = element('span.where', {}, `${title}, ${fits ? 'same ids' : 'other ids'}`);
    return element(
      'li',
      {},
      link(text, about, () => showDevice(view, number, event)),
      ' ',
      name,
    );
  });
  return element(
    'section.group',
    {},
    element('h3', {}, 'Device profile'),
    items.length > 0 ? element('ul.sets.devices', {}, ...items) : element('p.hint', {}, HINT),
  );
}
