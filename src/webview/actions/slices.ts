/** Fetches the busy intervals of DMA engines of profiles that came without: the page's own after its first picture, others when rows show them. */
import { decodeSlices } from '../../simulator/profile/parts';
import { compactWhenIdle } from '../data/compacting';
import { completed, type Model } from '../data/model';
import { OWN, profileOf, type StackedProfile } from '../data/stack';
import { showsSlices } from '../tracks/rows';
import type { View } from '../view/view';

/** Of the page's own profile, before it is shown. @throws Error with a sentence */
export const completedBy = async (view: View, model: Model): Promise<Model> =>
  completed(model, decodeSlices(await view.loadSlices(null), model.profile));

/** @returns the complete model, which is in the stack then; null: another profile has taken its place. @throws Error with a sentence */
export async function completeStacked(view: View, { number, key, model }: StackedProfile): Promise<Model | null> {
  const bytes = await view.loadSlices(number === OWN ? null : key);
  const { stack } = view.store.state;
  if (profileOf(stack, number)?.model !== model) return null;
  const whole = completed(model, decodeSlices(bytes, model.profile));
  view.store.update({ stack: stack.map(p => (p.model === model ? { ...p, model: whole } : p)) });
  return whole;
}

const asked = new WeakSet<Model>();

/** Those of stacked profiles, as soon as rows show them. */
export function followSlices(view: View): void {
  const { stack, dmaRows } = view.state;
  if (!showsSlices(dmaRows)) return;
  for (const profile of stack) {
    if (profile.number === OWN || !profile.model.lacksSlices || asked.has(profile.model)) continue;
    asked.add(profile.model);
    completeStacked(view, profile)
      .then(model => model && compactWhenIdle(model))
      .catch((error: Error) => view.announce(`${profile.title}: ${error.message}`));
  }
}
