/**
 * Operands of an instruction in the full grammar that Neuron profiles print: what it waits for, what it raises, then its own
 * list (`profile.operandLists`). Made when someone looks at it: semaphore values count on, so nearly every text is different.
 */

import { lowerBound } from '../columns/search';
import { type EventId, NO_SEMAPHORE, operandListText, type Profile, signalText, waitText } from '../profile/profile';

/** For instructions, not for transfers. */
export function operandText(p: Profile, instruction: EventId): string {
  const parts: string[] = [];
  const { instruction: owner } = p.waits;
  for (let row = lowerBound(owner, instruction); row < owner.length && owner[row] === instruction; row++) parts.push(waitRowText(p, row));
  const signal = p.instructions.signal[instruction];
  if (signal !== NO_SEMAPHORE) parts.push(signalText(p.semaphores[signal]));
  const own = operandListText(p, p.instructions.operands[instruction]);
  if (own) parts.push(own);
  return parts.join(' ');
}

/** `S[22] (qSyncIO0)>=240`: one row of `waits`. */
export const waitRowText = ({ waits, semaphores }: Profile, row: number) => waitText(semaphores[waits.semaphore[row]], waits.value[row]);
