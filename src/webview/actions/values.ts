/**
 * Values of the selected instruction's operands: their availability, requests and answers. Nothing runs before the user's first request.
 * After it, values follow the selection while the same profile is shown.
 */
import { eventValue } from '../../simulator/analyze/eventAccess';
import { decodeValues } from '../../simulator/profile/instructionValues';
import type { View } from '../view/view';

/** The program's instruction of an event; null: an instruction of the machine's own, or no selection. */
export function instructionOf({ model, state: { selected } }: View): number | null {
  const origin = model && selected !== null ? eventValue(model.profile, selected, 'origin') : -1;
  return origin < 0 ? null : origin;
}

/** Updates the values for the selection, while they are visible. */
export function followValues(view: View): void {
  const { tab, detailsOpen, values, status } = view.state;
  if (tab !== 'values' || !detailsOpen || status !== 'ready' || !view.model) return;
  if (values.is === 'unknown') void learnObstacle(view);
  const instruction = instructionOf(view);
  const isFollowing = values.is === 'computing' || values.is === 'shown' || values.is === 'failed';
  if (isFollowing && instruction !== null && instruction !== values.instruction) void computeValues(view);
}

async function learnObstacle(view: View): Promise<void> {
  const { model, state, store } = view;
  const reason = await view.values.obstacle().catch((error: Error) => error.message);
  // another profile may have come meanwhile
  if (view.model !== model || state.values.is !== 'unknown') return;
  store.update({ values: reason === null ? { is: 'offered' } : { is: 'impossible', reason } });
}

/** Computes the values of the selected instruction, and stops a running computation for another one. */
export async function computeValues(view: View): Promise<void> {
  const { model, state, store } = view;
  const instruction = instructionOf(view);
  if (instruction === null || !model) return;
  if (state.values.is === 'computing') view.values.stop();
  const asked = { is: 'computing' as const, instruction };
  store.update({ values: asked, valuesProgress: { text: 'Running the kernel again', share: null } });
  const answer = await view.values.of(instruction).then(
    bytes => ({ is: 'shown' as const, instruction, values: decodeValues(bytes) }),
    (error: Error) => ({ is: 'failed' as const, instruction, message: error.message }),
  );
  if (view.model !== model || state.values !== asked) return;
  store.update({ values: answer });
  const said = answer.is === 'shown' ? `Values of ${answer.values.operation}` : `No values: ${answer.message}`;
  view.announce(said);
}

export function stopValues({ store, values }: View): void {
  values.stop();
  store.update({ values: { is: 'offered' } });
}
