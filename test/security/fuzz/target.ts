/** What a fuzzer does with one mutant. The loop over mutants, deadlines and memory are `fuzzWorker.ts` and `runFuzz.ts`. */

/** Numbers from 0 up to 1, the same for the same seed. */
export type Random = () => number;

export type Outcome = 'read' | 'refused';

/**
 * Makes a mutant and has it read; a profile that comes of it is put to use.
 * @throws what is a fault of ours: anything but the refusals that the format's reader promises
 */
export type FuzzTarget = (next: Random) => Outcome | Promise<Outcome>;

/** A whole number from 0 to `below` - 1. */
export const below = (next: Random, limit: number): number => Math.floor(next() * limit);

export const pick = <T>(next: Random, choices: readonly T[]): T => choices[below(next, choices.length)];

/** Runs `read`; an error of one of these classes, with a message of one line, is a refusal. */
export async function readOrRefuse(read: () => unknown, refusals: readonly (new (...args: never[]) => Error)[]): Promise<Outcome> {
  try {
    await read();
    return 'read';
  } catch (error) {
    if (!refusals.some(refusal => error instanceof refusal)) throw error;
    const { message } = error as Error;
    if (!/^[^\n]{5,400}$/.test(message)) throw new Error(`the refusal is not one line: ${JSON.stringify(message.slice(0, 600))}`);
    return 'refused';
  }
}
