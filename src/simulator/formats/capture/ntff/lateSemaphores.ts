/**
 * Semaphores that changed long after the instruction that raised them had ended. Usually that takes 12 ns. In some recordings those of TensorE and
 * VectorE come up to 30 us late, one of them each 0.7, 1.4, 2.1 or 2.8 us, while instructions run on: an engine that is recorded writes two
 * records for each instruction, and waits where that takes long. What waits for such a semaphore begins late, so the recording made the run slower.
 * Measured on the four recordings of attention in github.com/KevGomes1403/nki-moe-megakernel at f1fe87a, and on `conv2d_2_float16`.
 */
import { type Changes, RAISE_PS } from './clocks';
import { ENGINES, type NtffGraph } from './container';
import { type NtffInstruction, wordOf } from './instructions';
import { FIRST_SEMAPHORE, semaphoresOf } from './words';

/** Later than any semaphore of a recording whose engines do not wait for their records: those are within 0.2 us. */
const LATE_PS = 1_000_000;
/** Values that say nothing of these instructions: semaphores that change before the instruction ends. Clocks agree to 30 ns. */
const EARLY_PS = -100_000;

export interface LateSemaphores {
  engine: string;
  /** Instructions whose change of a semaphore is recorded. */
  recorded: number;
  /** Of them those more than 1 us late. */
  late: number;
  mostPs: number;
}

/** By engine, of one core: those of which any was late. */
export function lateSemaphores(graph: NtffGraph, instructions: readonly NtffInstruction[], changes: Changes): LateSemaphores[] {
  return ENGINES.flatMap((name, engine) => {
    const raised = raisedBy(graph, instructions, engine);
    const delays = [...raised].flatMap(([semaphore, ends]) => delaysOf(ends, value => changes.once(FIRST_SEMAPHORE + semaphore, value)));
    const late = delays.filter(delay => delay > LATE_PS);
    if (late.length === 0) return [];
    return [{ engine: name, recorded: delays.length, late: late.length, mostPs: late.reduce((a, b) => Math.max(a, b)) }];
  });
}

/** Semaphores that an engine raises, each with the ends of the instructions that raise it, in order. */
function raisedBy(graph: NtffGraph, instructions: readonly NtffInstruction[], engine: number): Map<number, number[]> {
  const raised = new Map<number, number[]>();
  for (const one of instructions) {
    const word = one.engine === engine ? wordOf(graph, one) : null;
    const semaphore = word && semaphoresOf(word).signal;
    if (semaphore === null) continue;
    const ends = raised.get(semaphore);
    if (ends) ends.push(one.endPs);
    else raised.set(semaphore, [one.endPs]);
  }
  for (const ends of raised.values()) ends.sort((a, b) => a - b);
  return raised;
}

/** The value of a semaphore counts the instructions that raised it. @returns nothing where it does not */
function delaysOf(ends: readonly number[], changedAt: (value: number) => number | undefined): number[] {
  const delays = ends.flatMap((end, k) => {
    const at = changedAt(k + 1);
    return at === undefined ? [] : [at - end - RAISE_PS];
  });
  return delays.every(delay => delay > EARLY_PS) ? delays : [];
}

/** What a reader of the recording should know; undefined where nothing was late. */
export function cautionOfLate(late: readonly LateSemaphores[]): string | undefined {
  if (late.length === 0) return undefined;
  const most = late.reduce((longest, { mostPs }) => Math.max(longest, mostPs), 0) / 1e6;
  const counts = late.map(({ engine, late: count, recorded }) => `${count} of ${recorded} of ${engine}`).join(', ');
  return (
    `Semaphores changed up to ${most.toFixed(1)} µs after the instruction that raised them (more than 1 µs: ${counts}). ` +
    'An engine that is recorded waits while its records are written: a run that is not recorded is likely faster'
  );
}
