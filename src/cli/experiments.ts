/** Experiments with a served profile, for the page: carried out in the reading worker. What is answered is `routes.ts`. */
import { type ExperimentAsked, experimentIn, packNkiprof, type Wish } from '../simulator/index';
import { InputError, UsageError } from './errors';
import { longAnswer } from './longAnswer';
import type { Shelf, ShelvedProfile } from './profileShelf';

export interface ExperimentsSource {
  /** JSON or a container, as `longAnswer.ts` gives it. */
  answer(of: ShelvedProfile, asked: ExperimentAsked, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export const experimentsSource = (shelf: Shelf): ExperimentsSource => ({
  answer: (of, asked, signal) =>
    longAnswer(
      async (tell: (progress: { share: number }) => void) => {
        // A recording is replayed from its own file.
        const source = of.format === 'nkiprof' ? { bytes: packNkiprof(await shelf.container(of)), name: of.name } : { path: of.file };
        const answer = await experimentIn(shelf.reading, source, asked, { signal, onProgress: share => tell({ share }) });
        return answer instanceof Uint8Array ? answer : new TextEncoder().encode(JSON.stringify(answer));
      },
      error => (error instanceof InputError || error instanceof UsageError ? error.message : null),
    ),
});

/** What a page asks, checked: it is text from a form. null: it is none of ours. */
export function askedOf(text: string): ExperimentAsked | null {
  const asked = parsed(text) as Partial<{ job: string; wishes: unknown }> | null;
  if (asked?.job === 'advise' || asked?.job === 'causal') return { job: asked.job };
  if (asked?.job === 'retimed') return isWishes(asked.wishes) ? { job: 'retimed', wishes: asked.wishes } : null;
  if (asked?.job !== 'whatIf') return null;
  const { wishes = null } = asked;
  return wishes === null || isWishes(wishes) ? { job: 'whatIf', wishes } : null;
}

const MOST_WISHES = 64;

const isWishes = (value: unknown): value is Wish[] => Array.isArray(value) && value.length <= MOST_WISHES && value.every(isWish);

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
