/**
 * Redundant-load elimination: loads that the compiler leaves out, because the tile was loaded before and nothing has written its source. In a
 * rewritten kernel, loads that follow each other soon are one (jing-conv-*), and a tensor whose tiles fit into SBUF all at once is loaded once:
 * the traffic that nkib-t1-matmul_add_rmsnorm reads from HBM is that of its weights loaded about twice, not 32 times, and ak-mlp-* take less
 * time than their loads as written would. In a kernel of the nki namespace that runs as written, a load stands for later ones within a window
 * of loaded bytes (`LoadWindow`).
 */

import { type Compiled, WRITE } from '../compiled';
import type { CompileContext } from '../context';
import { LOAD } from '../directions';
import { HBM, type Patterns } from '../patterns';

type Code = Pick<Compiled, 'instructions' | 'accesses' | 'transfers'>;

export interface Load {
  instruction: number;
  /** Destination and source patterns. */
  dst: number;
  src: number;
}

/** What comes between a load and a later one that it stands for, at most. */
export interface LoadWindow {
  /** Bytes in each partition that loads fill. */
  bytes: number;
  /** Bytes that each other instruction counts as. */
  instructionBytes: number;
}

const WHOLE_KERNEL: LoadWindow = { bytes: Number.POSITIVE_INFINITY, instructionBytes: 0 };

/**
 * Makes later users of a tile read the first copy.
 * @param window how long a load stands for later ones; null: in the whole kernel, of tensors that fit as a whole, and in a rewritten kernel also
 *   for as long as the scheduler sees the next one
 * @returns instructions that stay, in their order.
 */
export function eliminateRedundantLoads(
  { machine, policy, patterns, rules }: CompileContext,
  code: Code,
  window: LoadWindow | null = null,
): Uint32Array {
  const writes = writesByTensor(patterns, code);
  const groups = repeatedLoads(patterns, code, writes, window ?? WHOLE_KERNEL);
  const capacityBytes = policy.residentShare.value * machine.sbufBytesPerPartition.value;
  const kept = keptWhole(window === null ? capacityBytes : Number.POSITIVE_INFINITY, patterns, groups);
  const instead = new Map<number, number>();
  const dropped = new Set<number>();
  const near = rules.rewrites && policy.leavesNearLoadsOut.value ? policy.windowInstructions.value : 0;
  for (const [first, ...others] of groups.flatMap(group => (kept.has(patterns.tensor(group[0].src)) ? [group] : runsOf(group, near))))
    for (const other of others) {
      instead.set(patterns.tensor(other.dst), patterns.tensor(first.dst));
      dropped.add(other.instruction);
    }
  if (instead.size > 0) for (const pattern of code.accesses.pattern) patterns.move(pattern, instead);
  return Uint32Array.from({ length: code.instructions.track.length }, (_, i) => i).filter(i => !dropped.has(i));
}

/** The same loads in runs, in which each follows the one before within so many instructions. */
function runsOf([first, ...others]: readonly Load[], mostInstructions: number): Load[][] {
  const runs = [[first]];
  let last = first;
  for (const load of others) {
    if (load.instruction - last.instruction <= mostInstructions) runs[runs.length - 1].push(load);
    else runs.push([load]);
    last = load;
  }
  return runs;
}

export function writesByTensor(patterns: Patterns, { accesses }: Pick<Code, 'accesses'>): Uint32Array {
  const writes = new Uint32Array(patterns.tensors);
  for (let a = 0; a < accesses.pattern.length; a++) if (accesses.role[a] !== 0) writes[patterns.tensor(accesses.pattern[a])]++;
  return writes;
}

/**
 * Loads of the same source into tiles of the same kind that no other instruction writes, in program order: those that the first stands for.
 * A load stands for others until the window behind it is full: of bytes in each partition that loads fill, and of other instructions.
 */
function repeatedLoads(patterns: Patterns, code: Code, writes: Uint32Array, window: LoadWindow): Load[][] {
  const groups: Load[][] = [];
  const latest = new Map<string, { group: Load[]; position: number }>();
  const { transfer, accessStart } = code.instructions;
  let position = 0;
  for (let i = 0; i < transfer.length; i++) {
    if (transfer[i] < 0 || code.transfers.direction[transfer[i]] !== LOAD || accessStart[i + 1] - accessStart[i] !== 2) {
      position += window.instructionBytes;
      continue;
    }
    const load = loadOf(code, i);
    const key = repeatable(patterns, load, writes) ? keyOf(patterns, load) : null;
    const earlier = key === null ? undefined : latest.get(key);
    if (earlier && position - earlier.position <= window.bytes) {
      earlier.group.push(load);
      continue;
    }
    if (key !== null) {
      const group = [load];
      groups.push(group);
      latest.set(key, { group, position });
    }
    position += patterns.freeElements(load.dst) * patterns.bytesOf(load.dst);
  }
  return groups;
}

function repeatable(patterns: Patterns, { dst, src }: Load, writes: Uint32Array): boolean {
  const [to, from] = [patterns.tensor(dst), patterns.tensor(src)];
  return writes[to] === 1 && writes[from] === 0 && patterns.space(from) === HBM && !patterns.addressed(to);
}

function keyOf(patterns: Patterns, { dst, src }: Load): string {
  return `${patterns.describe(src)} > ${patterns.describeKind(patterns.tensor(dst))} ${patterns.describeWalk(dst)}`;
}

export function loadOf({ instructions, accesses }: Pick<Code, 'instructions' | 'accesses'>, instruction: number): Load {
  const at = instructions.accessStart[instruction];
  const [a, b] = [accesses.pattern[at], accesses.pattern[at + 1]];
  return accesses.role[at] === WRITE ? { instruction, dst: a, src: b } : { instruction, dst: b, src: a };
}

/** Source tensors whose tiles fit together, those with the most repeated loads first. */
function keptWhole(capacityBytes: number, patterns: Patterns, groups: readonly Load[][]): Set<number> {
  const bytes = new Map<number, number>();
  const repeats = new Map<number, number>();
  for (const group of groups) {
    const tensor = patterns.tensor(group[0].src);
    const size = patterns.bytesPerPartition(patterns.tensor(group[0].dst));
    bytes.set(tensor, (bytes.get(tensor) ?? 0) + size);
    repeats.set(tensor, (repeats.get(tensor) ?? 0) + size * (group.length - 1));
  }
  const kept = new Set<number>();
  let room = capacityBytes;
  for (const tensor of [...bytes.keys()].sort((a, b) => repeats.get(b)! - repeats.get(a)! || a - b)) {
    if (repeats.get(tensor) === 0 || bytes.get(tensor)! > room) continue;
    kept.add(tensor);
    room -= bytes.get(tensor)!;
  }
  return kept;
}
