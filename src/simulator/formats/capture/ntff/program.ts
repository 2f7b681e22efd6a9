/**
 * Matches a recording with its NEFF. The runtime loads the compiler's instructions in their order, so the last instructions of the NEFF
 * are the program of the NTFF, row by row. A NEFF of another kernel has other opcodes, and is refused.
 */
import { FormatError } from '../../../columns/container';
import type { NeffDma } from '../neff/dmaList';
import type { Neff } from '../neff/neff';
import { type NtffGraph, WORD_BYTES } from './container';
import { DMA_TRIGGER, isWrite } from './words';

export interface Joined {
  /** The NEFF's name of an instruction; empty if it has none. */
  name(engine: number, index: number): string;
  /** The DMA that an instruction triggers. */
  dma(engine: number, index: number): NeffDma | undefined;
  /** Per queue its DMAs in the order of their triggers, and the triggering instructions. */
  queues: ReadonlyMap<string, { dma: NeffDma; engine: number; index: number }[]>;
}

export const NOTHING_JOINED: Joined = { name: () => '', dma: () => undefined, queues: new Map() };

/** @throws FormatError when the NEFF is of another program. */
export function joinNeff({ engines }: NtffGraph, neff: Neff): Joined {
  const shifts = new Map<number, number>();
  const queues = new Map<string, { dma: NeffDma; engine: number; index: number }[]>();
  for (const [engine, { words, program }] of engines) {
    const own = neff.engines[engine];
    if (!own) continue;
    const shift = own.words.length / WORD_BYTES - program.end;
    if (program.end === program.first || !isSame(words, own.words, program, shift)) {
      if (program.end === program.first) continue;
      throw new FormatError('the NEFF is of another program than the NTFF');
    }
    shifts.set(engine, shift);
    for (const [at, dma] of own.triggers) {
      const known = queues.get(dma.queue);
      const trigger = { dma, engine, index: at - shift };
      if (known) known.push(trigger);
      else queues.set(dma.queue, [trigger]);
    }
  }
  const rowOf = (engine: number, index: number) => {
    const { program } = engines.get(engine)!;
    const shift = shifts.get(engine);
    return shift === undefined || index < program.first || index >= program.end ? -1 : index + shift;
  };
  return {
    name: (engine, index) => neff.engines[engine]?.names[rowOf(engine, index)] ?? '',
    dma: (engine, index) => neff.engines[engine]?.triggers.get(rowOf(engine, index)),
    queues,
  };
}

/** Whether opcodes are equal, except triggers of DMAs, which the runtime replaces. */
function isSame(words: Uint8Array, own: Uint8Array, { first, end }: { first: number; end: number }, shift: number): boolean {
  if (!Number.isInteger(shift) || first + shift < 0) return false;
  for (let index = first; index < end; index++) {
    const [loaded, written] = [words.subarray(index * WORD_BYTES), own[(index + shift) * WORD_BYTES]];
    if (loaded[0] !== written && !(isWrite(loaded) && written === DMA_TRIGGER.opcode)) return false;
  }
  return true;
}
