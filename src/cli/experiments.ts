/** Experiments with a served profile, for the page: carried out in the reading worker. What is answered is `routes.ts`. */
import { type ExperimentAsked, experimentIn, packNkiprof } from '../simulator/index';
import { InputError, UsageError } from './errors';
import { longAnswer } from './longAnswer';
import type { Shelf, ShelvedProfile } from './profileShelf';

export interface ExperimentsSource {
  /** JSON, as `longAnswer.ts` gives it. */
  answer(of: ShelvedProfile, asked: ExperimentAsked, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export const experimentsSource = (shelf: Shelf): ExperimentsSource => ({
  answer: (of, asked, signal) =>
    longAnswer(
      async (tell: (progress: { share: number }) => void) => {
        const source = { bytes: packNkiprof(await shelf.container(of)), name: of.name };
        const answer = await experimentIn(shelf.reading, source, asked, { signal, onProgress: share => tell({ share }) });
        return new TextEncoder().encode(JSON.stringify(answer));
      },
      error => (error instanceof InputError || error instanceof UsageError ? error.message : null),
    ),
});

/** What a page asks, checked: it is text from a form. null: it is none of ours. */
export function askedOf(text: string): ExperimentAsked | null {
  const asked = parsed(text) as Partial<{ job: string; wishes: unknown }> | null;
  if (asked?.job === 'advise' || asked?.job === 'causal') return { job: asked.job };
  if (asked?.job !== 'whatIf') return null;
  const { wishes = null } = asked;
  if (wishes !== null && !(Array.isArray(wishes) && wishes.length <= MOST_WISHES && wishes.every(isWish))) return null;
  return { job: 'whatIf', wishes };
}

const MOST_WISHES = 16;

function isWish(value: unknown): boolean {
  const { savedShare, resource, line } = (value ?? {}) as {
    savedShare?: unknown;
    resource?: unknown;
    line?: { file?: unknown; line?: unknown };
  };
  if (typeof savedShare !== 'number' || !(savedShare >= 0 && savedShare <= 1)) return false;
  return typeof resource === 'string' || (typeof line?.file === 'string' && typeof line.line === 'number');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
