/** The peak demand of a kernel for a memory, and the lines that need it, for errors and warnings about lack of space. */
import { kibText } from '../../program/error';
import type { Program } from '../../program/program';
import type { MachineInstructions } from '../compiled';
import type { Patterns } from '../patterns';
import { type Lifetimes, peak } from './lifetimes';

/** Most lines in a message. */
const NAMED = 5;

export interface Demand {
  /** Of each partition. */
  neededBytes: number;
  /** Frame of the tensors that need the most, -1: none. */
  frame: number;
  /** The tensors that need it, largest first: `rhs_tile 128 x 2 KiB (line 80), ...`. */
  holders: string;
}

interface Holder {
  name: string;
  frame: number;
  sizeBytes: number;
  tensors: number;
}

/** @param space index in SPACES @param sizeBytes bytes of each partition that a tensor takes */
export function demand(
  { program, patterns }: { program: Program; patterns: Patterns },
  lives: Lifetimes,
  instructions: MachineInstructions,
  space: number,
  sizeBytes: (tensor: number) => number = tensor => patterns.bytesPerPartition(tensor),
): Demand {
  // Tensors that the kernel placed over each other count once.
  const isCounted = (tensor: number) => patterns.space(tensor) === space && patterns.aliases.home(tensor) === tensor;
  const counted = (tensor: number) => (isCounted(tensor) ? sizeBytes(tensor) : 0);
  const { mostBytes, at } = peak(lives, instructions.track.length, counted);
  const holders = new Map<string, Holder>();
  for (let tensor = 0; tensor < lives.firstUse.length; tensor++) {
    if (lives.firstUse[tensor] < 0 || lives.firstUse[tensor] > at || lives.lastUse[tensor] < at || counted(tensor) === 0) continue;
    const holder = { name: patterns.name(tensor), frame: patterns.frame(tensor), sizeBytes: counted(tensor), tensors: 0 };
    const key = `${holder.name} ${holder.frame} ${holder.sizeBytes}`;
    if (!holders.has(key)) holders.set(key, holder);
    holders.get(key)!.tensors++;
  }
  const sorted = [...holders.values()].sort((a, b) => b.tensors * b.sizeBytes - a.tensors * a.sizeBytes);
  return { neededBytes: mostBytes, frame: sorted[0]?.frame ?? -1, holders: holdersText(sorted, program) };
}

function holdersText(sorted: readonly Holder[], { frames }: Program): string {
  const names = sorted.slice(0, NAMED).map(({ name, frame, sizeBytes, tensors }) => {
    const count = tensors > 1 ? `${tensors} x ` : '';
    return `${name} ${count}${kibText(sizeBytes)} (line ${frames.line[frame]})`;
  });
  const rest = sorted.slice(NAMED).reduce((sum, { tensors }) => sum + tensors, 0);
  return `${names.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}
