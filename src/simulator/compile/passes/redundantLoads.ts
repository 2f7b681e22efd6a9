/**
 * Redundant-load elimination: loads that the compiler leaves out, because the tile was loaded before and nothing has written its source. In a rewritten
 * kernel a tensor is loaded once whose tiles fit into SBUF, each from its first load to its last one: the traffic that nkib-t1-matmul_add_rmsnorm reads from HBM is that of
 * its weights loaded about twice, not 32 times, and ak-mlp-* take less time than their loads as written would. In a kernel of the nki
 * namespace that runs as written, a load stands for later ones within a window of loaded bytes (`LoadWindow`).
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
 * @param window how long a load stands for later ones; null: in the whole kernel, of tensors that fit as a whole
 * @returns instructions that stay, in their order.
 */
export function eliminateRedundantLoads(
  { machine, policy, patterns }: CompileContext,
  code: Code,
  window: LoadWindow | null = null,
): Uint32Array {
  const writes = writesByTensor(patterns, code);
  const groups = repeatedLoads(patterns, code, writes, window ?? WHOLE_KERNEL);
  const capacityBytes = policy.residentShare.value * machine.sbufBytesPerPartition.value;
  const kept = keptWhole(window === null ? capacityBytes : Number.POSITIVE_INFINITY, patterns, groups);
  const instead = new Map<number, number>();
  const dropped = new Set<number>();
  for (const [first, ...others] of groups)
    for (const other of kept.has(patterns.tensor(first.src)) ? others : []) {
      instead.set(patterns.tensor(other.dst), patterns.tensor(first.dst));
      dropped.add(other.instruction);
    }
  if (instead.size > 0) for (const pattern of code.accesses.pattern) patterns.move(pattern, instead);
  return Uint32Array.from({ length: code.instructions.track.length }, (_, i) => i).filter(i => !dropped.has(i));
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
  const bySource = new Map<number, Load[][]>();
  for (const group of groups) {
    if (group.length === 1) continue;
    const source = patterns.tensor(group[0].src);
    const own = bySource.get(source);
    if (own) own.push(group);
    else bySource.set(source, [group]);
  }
  const repeatedBytes = (own: readonly Load[][]) => own.reduce((sum, group) => sum + (group.length - 1) * tileBytes(patterns, group), 0);
  const wanted = [...bySource].map(([source, own]) => ({ source, own, repeated: repeatedBytes(own) }));
  const kept = new Set<number>();
  let room = capacityBytes;
  for (const { source, own } of wanted.sort((a, b) => b.repeated - a.repeated || a.source - b.source)) {
    const bytes = heldBytes(patterns, own);
    if (bytes > room) continue;
    kept.add(source);
    room -= bytes;
  }
  return kept;
}

/** Of a partition, what the tile of these loads takes. */
const tileBytes = (patterns: Patterns, [{ dst }]: readonly Load[]): number => patterns.bytesPerPartition(patterns.tensor(dst));

/** The most bytes of a partition that these tiles take at once, each from its first load to its last. */
function heldBytes(patterns: Patterns, groups: readonly Load[][]): number {
  const changes = groups.flatMap(group => {
    const bytes = tileBytes(patterns, group);
    return [
      { at: group[0].instruction, bytes },
      { at: group[group.length - 1].instruction, bytes: -bytes },
    ];
  });
  let held = 0;
  let most = 0;
  for (const { bytes } of changes.sort((a, b) => a.at - b.at)) {
    held += bytes;
    most = Math.max(most, held);
  }
  return most;
}
