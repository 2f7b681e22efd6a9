/** Instructions of one core out of its records: when each began and ended, and which word of its engine's memory it is. */
import { FormatError } from '../../../columns/container';
import { type NtffGraph, SECTION, WORD_BYTES } from './container';
import { type ClockBase, KeyedQueue, recordsOf } from './records';

export interface NtffInstruction {
  /** Index in `ENGINES`. */
  engine: number;
  /** Index in the engine's words. It may be outside of them, in code of the runtime that is not in the file. */
  index: number;
  startPs: number;
  endPs: number;
}

const KIND = { start: 0, end: 1 } as const;
/** A program counter has 21 bits. */
const COUNTER_MASK = 2 ** 21 - 1;

/** Sorted by end. An instruction without a recorded start or end is left out. @throws FormatError */
export function instructionsOf({ sections, engines }: NtffGraph, base: ClockBase): NtffInstruction[] {
  const running = new KeyedQueue<number>();
  const list: NtffInstruction[] = [];
  for (const { low, code, timePs } of recordsOf(sections.get(SECTION.instructions) ?? [], base)) {
    const engine = ((code >> 10) & 7) - 1;
    const counter = low | ((code & 31) << 16);
    const key = (engine << 21) | counter;
    const kind = (code >> 8) & 3;
    if (kind === KIND.start) running.push(key, timePs);
    if (kind !== KIND.end) continue;
    const startPs = running.take(key);
    const known = engines.get(engine);
    if (startPs === undefined || !known) continue;
    if (timePs < startPs) throw new FormatError('the NTFF is damaged: an instruction ends before it begins');
    const index = (counter - Math.floor(known.addressBytes / WORD_BYTES)) & COUNTER_MASK;
    list.push({ engine, index, startPs, endPs: timePs });
  }
  return list;
}

/** The 64 bytes of an instruction; null for one that is not in the file. */
export function wordOf(graph: NtffGraph, { engine, index }: NtffInstruction): Uint8Array | null {
  const { words } = graph.engines.get(engine)!;
  const word = words.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES);
  return word.length === WORD_BYTES ? word : null;
}
