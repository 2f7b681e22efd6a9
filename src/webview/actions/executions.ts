/** From an execution of a system profile to the device profile of it: the device's rows stand below, at the time of this execution. */

import { onClock } from '../data/clock';
import { eventSpan } from '../data/model';
import { OWN, ownOf, profileOf } from '../data/stack';
import type { View } from '../view/view';
import { showSpan } from './navigation';

/** @param number of the stacked device profile */
export function showDevice(view: View, number: number, execution: number): void {
  const { stack } = view.store.state;
  const [own, device] = [ownOf(stack), profileOf(stack, number)];
  if (!own || !device || number === OWN) return;
  const placed = onClock(named(own), named(device), execution);
  view.store.update({ stack: stack.map(p => (p === device ? { ...p, ...placed } : p)) });
  showSpan(view, eventSpan(own.model, execution));
  view.announce(`${device.title} ${placed.clock ?? ''}`);
}

const named = ({ title, model }: { title: string; model: { profile: Parameters<typeof onClock>[0]['profile'] } }) => ({
  title,
  profile: model.profile,
});
