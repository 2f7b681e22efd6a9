/** Fetches the busy intervals of DMA engines of profiles that came without: the page's own for what is below its rows, others when rows show them. */
import { decodeSlices } from '../../simulator/profile/parts';
import { compactWhenIdle } from '../data/compacting';
import { completed, type Model } from '../data/model';
import { OWN, profileOf, type StackedProfile } from '../data/stack';
import { showsSlices } from '../tracks/rows';
import type { View } from '../view/view';

/** @param slices as the host gives them @throws Error with a sentence */
export const completedBy = async (model: Model, slices: Promise<Uint8Array>): Promise<Model> =>
  completed(model, decodeSlices(await slices, model.profile));

/** @returns the complete model, which is in the stack then; null: another profile has taken its place. @throws Error with a sentence */
export async function completeStacked(view: View, { number, model }: StackedProfile, slices: Promise<Uint8Array>): Promise<Model | null> {
  const bytes = await slices;
  const { stack } = view.store.state;
  if (profileOf(stack, number)?.model !== model) return null;
  const whole = completed(model, decodeSlices(bytes, model.profile));
  view.store.update({ stack: stack.map(p => (p.model === model ? { ...p, model: whole } : p)) });
  return whole;
}

const asked = new WeakSet<Model>();

/** From a question to the same one again, where it failed or nothing came. */
const PAUSES_MS: readonly number[] = [1000, 4000, 16_000];

/** When slices of any profile came, or were asked for again because none came: until some time after that the others wait for their turn. */
let turnMs = Number.NEGATIVE_INFINITY;

/** Those of stacked profiles, as soon as rows show them. */
export function followSlices(view: View): void {
  const { stack, dmaRows } = view.state;
  if (!showsSlices(dmaRows)) return;
  for (const profile of stack) {
    if (profile.number === OWN || !profile.model.lacksSlices || asked.has(profile.model)) continue;
    asked.add(profile.model);
    ask(view, profile, PAUSES_MS);
  }
}

function ask(view: View, profile: StackedProfile, [pauseMs, ...later]: readonly number[]): void {
  let failed = false;
  const isWanted = () => profileOf(view.store.state.stack, profile.number)?.model === profile.model;
  completeStacked(view, profile, view.loadSlices(profile.key)).then(
    model => {
      turnMs = performance.now();
      if (model) compactWhenIdle(model);
    },
    (error: Error) => {
      failed = true;
      if (pauseMs === undefined && isWanted()) view.announce(`${profile.title}: ${error.message}`);
    },
  );
  if (pauseMs === undefined) return;
  const check = () => {
    if (!isWanted()) return;
    if (!failed) {
      if (performance.now() - turnMs < pauseMs) return void setTimeout(check, pauseMs);
      turnMs = performance.now();
    }
    ask(view, profile, later);
  };
  setTimeout(check, pauseMs);
}
