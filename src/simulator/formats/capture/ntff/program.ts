/**
 * Matches a recording with its NEFF. The runtime loads the compiler's instructions in their order, so the last instructions of the NEFF
 * are the program of the NTFF, row by row. A NEFF of another kernel has other opcodes, and is refused.
 */
import { FormatError } from '../../../columns/container';
import type { NeffDma } from '../neff/dmaList';
import type { Neff, NeffEngine } from '../neff/neff';
import { type NtffEngine, type NtffGraph, type NtffVersion, WORD_BYTES } from './container';
import { isLoadedAs, loadedWords } from './words';

export interface Joined {
  /** The NEFF's name of an instruction; empty if it has none. */
  name(engine: number, index: number): string;
  /** The DMA that an instruction triggers. */
  dma(engine: number, index: number): NeffDma | undefined;
  /** Per queue its DMAs in the order of their triggers, and the triggering instructions. */
  queues: ReadonlyMap<string, { dma: NeffDma; engine: number; index: number }[]>;
}

export const NOTHING_JOINED: Joined = { name: () => '', dma: () => undefined, queues: new Map() };

/** An instruction that was not loaded. */
const NONE = -1;

/** @throws FormatError when the NEFF is of another program. */
export function joinNeff({ engines }: NtffGraph, neff: Neff, version: NtffVersion): Joined {
  const rows = new Map<number, Int32Array>();
  const queues = new Map<string, { dma: NeffDma; engine: number; index: number }[]>();
  for (const [engine, loaded] of engines) {
    const own = neff.engines[engine];
    if (!own || loaded.program.end === loaded.program.first) continue;
    const walked = walk(loaded, own, version);
    if (!walked) throw new FormatError('the NEFF is of another program than the NTFF');
    rows.set(engine, walked.rows);
    for (const [at, dma] of own.triggers) {
      const known = queues.get(dma.queue);
      const trigger = { dma, engine, index: walked.indices[at] };
      if (known) known.push(trigger);
      else queues.set(dma.queue, [trigger]);
    }
  }
  const rowOf = (engine: number, index: number) => rows.get(engine)?.[index - engines.get(engine)!.program.first] ?? NONE;
  return {
    name: (engine, index) => neff.engines[engine]?.names[rowOf(engine, index)] ?? '',
    dma: (engine, index) => neff.engines[engine]?.triggers.get(rowOf(engine, index)),
    queues,
  };
}

interface Walked {
  /** Of each instruction of the program its row in the NEFF; `NONE` of those that the runtime added. */
  rows: Int32Array;
  /** Of each row of the NEFF its index in the NTFF's words. */
  indices: Int32Array;
}

/**
 * Walks both from the end. Where a row became several words it is the first of them: see `loadedWords`.
 * @returns null where they differ
 */
function walk({ words, program: { first, end } }: NtffEngine, { words: own }: NeffEngine, version: NtffVersion): Walked | null {
  if (own.length % WORD_BYTES !== 0) return null;
  const rows = new Int32Array(end - first).fill(NONE);
  const indices = new Int32Array(own.length / WORD_BYTES).fill(NONE);
  let row = indices.length - 1;
  for (let index = end; index > first; row--) {
    if (row < 0) return null;
    const written = own[row * WORD_BYTES];
    const count = loadedWords(written, version);
    index -= count;
    if (index < first) return null;
    for (let k = 0; k < count; k++) if (!isLoadedAs(words[(index + k) * WORD_BYTES], written, version)) return null;
    rows[index - first] = row;
    indices[row] = index;
  }
  return { rows, indices };
}
