/**
 * The loops of a kernel that may change places, and the machine code in the order that this gives: with what an iteration of the new inner
 * loop needs again, and the one before it had, kept on chip. Whether that is faster is for experiments.
 */
import { READS_HBM, WRITES_HBM } from '../compile/directions';
import type { Change } from '../experiments/changes';
import { type KnownDependence, type MemoryAccess, mayInterchange } from '../experiments/interchange';
import { type LoopNest, type LoopPair, swappedOrder } from '../experiments/loopNest';
import { previousUses } from '../experiments/previousUse';
import { countsOf, elementBytesOf, isDestination, isSource, stepsOf } from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';
import { resultBytes } from './repeats';
import type { Subject } from './subject';

const HBM = SPACES.indexOf('hbm');
/** Their results depend on what ran before. */
const DRAWS = /RAND|RNG|DROPOUT/;

/** An order of a pair's instructions. */
export interface LoopOrder {
  change: Change;
  /** Instructions whose results are kept instead of made again, and the bytes of each partition that this takes. */
  again: number;
  keptBytes: number;
}

/** Whether the dependences of every run allow it. */
export const mayChangePlaces = (subject: Subject, { nests }: LoopPair): boolean => nests.every(nest => isAllowed(subject, nest));

function isAllowed(subject: Subject, nest: LoopNest): boolean {
  const { from, to, outer, inner } = nest;
  const { code } = subject.experiment;
  const { transfer } = code.instructions;
  const { start, event } = code.dependencies;
  const count = transfer.length;
  const iterationOf = (i: number) => (i < from || i >= to ? -1 : outer[i - from] * nest.innerCount + inner[i - from]);
  const accesses: MemoryAccess[] = [];
  const known: KnownDependence[] = [];
  let weightsOf = -1;
  for (let i = from; i < to; i++) {
    const opcode = subject.opcode(i);
    if (DRAWS.test(opcode)) return false;
    // The array keeps its weights until others come.
    if (opcode === 'LDWEIGHTS') weightsOf = iterationOf(i);
    if (opcode === 'MATMUL' && weightsOf !== iterationOf(i)) return false;
    accesses.push(...onChip(subject, i, i - from, iterationOf));
    const own = transfer[i];
    if (own < 0) continue;
    if (READS_HBM[code.transfers.direction[own]] && WRITES_HBM[code.transfers.direction[own]]) return false;
    for (let d = start[i]; d < start[i + 1]; d++) {
      const other = event[d] - count;
      if (other < 0 || code.transfers.tensor[other] !== code.transfers.tensor[own]) continue;
      // Two loads may wait for each other because of the tile.
      if (!WRITES_HBM[code.transfers.direction[own]] && !WRITES_HBM[code.transfers.direction[other]]) continue;
      const trigger = code.transfers.trigger[other];
      if (trigger >= from && trigger < to) known.push({ from: trigger - from, to: i - from });
    }
  }
  return mayInterchange({ outer, inner }, accesses, known);
}

interface Range {
  space: number;
  startBytes: number;
  endBytes: number;
}

const overlaps = (a: Range, b: Range) => a.space === b.space && a.startBytes < b.endBytes && b.startBytes < a.endBytes;

function onChip(subject: Subject, i: number, instruction: number, iterationOf: (i: number) => number): MemoryAccess[] {
  const own = iterationOf(i);
  const [writers, readers] = [subject.producers(i), subject.consumers(i)].map(those => [...those].filter(one => iterationOf(one) !== own));
  const { profile } = subject;
  const bytes = elementBytesOf(profile, subject.operandList(i));
  const isOf = (range: Range, role: typeof isSource) => (other: number) => {
    const otherBytes = elementBytesOf(profile, subject.operandList(other));
    return subject
      .operands(other)
      .some((operand, k) => role(profile, operand) && overlaps(rangeOf(subject, operand, otherBytes[k]), range));
  };
  return [...subject.operands(i)].flatMap((operand, k): MemoryAccess[] => {
    const writes = isDestination(profile, operand);
    if (profile.operands.space[operand] === HBM || (!writes && !isSource(profile, operand))) return [];
    const range = rangeOf(subject, operand, bytes[k]);
    const crosses = writes ? readers.some(isOf(range, isSource)) : writers.some(isOf(range, isDestination));
    return [{ instruction, memory: range.space, startBytes: range.startBytes, endBytes: range.endBytes, writes, crosses }];
  });
}

/** Bytes of a partition, in its memory. */
function rangeOf(subject: Subject, operand: number, elementBytes: number): Range {
  const { profile } = subject;
  const [steps, counts] = [stepsOf(profile, operand), countsOf(profile, operand)];
  let last = 0;
  for (let d = 0; d < counts.length; d++) last += Math.abs(steps[d]) * (counts[d] - 1);
  const startBytes = subject.offsetBytes(operand);
  return { space: profile.operands.space[operand], startBytes, endBytes: startBytes + (last + 1) * (elementBytes || 1) };
}

/** @param isSwapped as they are otherwise @param keeps what the iteration before had */
export function loopOrder(subject: Subject, { nests }: LoopPair, isSwapped: boolean, keeps: boolean): LoopOrder {
  const count = subject.instructions;
  const leader = Uint32Array.from({ length: count }, (_, i) => i);
  const goesOn = continued(subject);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  let [again, keptBytes] = [0, 0];
  for (const nest of nests) {
    const own = isSwapped ? swappedOrder(nest) : order.slice(nest.from, nest.to);
    order.set(own, nest.from);
    if (!keeps) continue;
    const [around, within] = isSwapped ? [nest.inner, nest.outer] : [nest.outer, nest.inner];
    const repeated = keptOf(subject, own, i => [around[i - nest.from], within[i - nest.from]], goesOn);
    for (const [i, first] of repeated.leaders) leader[i] = first;
    again += repeated.leaders.size;
    keptBytes = Math.max(keptBytes, repeated.bytes);
  }
  const change: Change = {
    kind: 'reordered',
    order: order.filter(i => leader[i] === i),
    leader,
    producers: subject.flow,
    goesOn,
    ...ringsOf(subject, nests, goesOn),
  };
  return { change, again, keptBytes };
}

/**
 * Loads and results that the iteration before had, of the same line.
 * @param iterationOf number of the iteration of the loop around it, and of the inner loop
 */
function keptOf(
  subject: Subject,
  order: Uint32Array,
  iterationOf: (i: number) => [around: number, within: number],
  goesOn: Int32Array,
): { leaders: Map<number, number>; bytes: number } {
  const { transfer } = subject.experiment.code.instructions;
  const { direction } = subject.experiment.code.transfers;
  const isChanged = new Set([...goesOn].filter(of => of >= 0));
  const leaders = new Map<number, number>();
  /** Value -> the instruction that made it. */
  let [before, now] = [new Map<number, number>(), new Map<number, number>()];
  let [around, within, most, bytes] = [-1, -1, 0, 0];
  for (const i of order) {
    const [a, w] = iterationOf(i);
    if (a !== around) [before, now] = [new Map(), new Map()];
    else if (w !== within) [before, now] = [now, new Map()];
    if (a !== around || w !== within) bytes = 0;
    [around, within] = [a, w];
    const isLoad = transfer[i] >= 0 && READS_HBM[direction[transfer[i]]] === 1;
    const isResult = transfer[i] < 0 && subject.producers(i).length > 0;
    if ((!isLoad && !isResult) || isChanged.has(i) || goesOn[i] >= 0) continue;
    const value = subject.flow.first[i];
    const made = before.get(value);
    now.set(value, made ?? i);
    if (made === undefined) continue;
    leaders.set(i, made);
    bytes += resultBytes(subject, i);
    most = Math.max(most, bytes);
  }
  return { leaders, bytes: most };
}

/** Instruction -> the one before that wrote the same place, where it changes that in place or adds to it; -1: where it does not. */
function continued(subject: Subject): Int32Array {
  const previous = previousUses(subject.profile);
  return previous.map((before, i) => {
    if (before < 0) return -1;
    const addsUp = subject.opcode(i) === 'MATMUL' && subject.consumers(before).length === 0;
    return addsUp || subject.producers(i).includes(before) ? before : -1;
  });
}

/** The instructions of one line that write on chip take turns with its buffers. */
function ringsOf(subject: Subject, nests: readonly LoopNest[], goesOn: Int32Array): { ring: Int32Array; ringBuffers: Uint32Array } {
  const { profile } = subject;
  const { row } = profile.timing!.instructions;
  const ring = new Int32Array(subject.instructions).fill(-1);
  const numbers = new Map<string, number>();
  const places: Set<number>[] = [];
  for (const { from, to } of nests)
    for (let i = from; i < to; i++) {
      const operand = subject.operands(i).find(one => isDestination(profile, one) && profile.operands.space[one] !== HBM);
      if (operand === undefined) continue;
      const key = `${profile.instructions.frame[row[i]]} ${subject.opcode(i)} ${profile.operands.space[operand]}`;
      const number = numbers.get(key) ?? places.push(new Set()) - 1;
      numbers.set(key, number);
      ring[i] = number;
      if (goesOn[i] < 0) places[number].add(operand);
    }
  return { ring, ringBuffers: Uint32Array.from(places, own => Math.max(1, own.size)) };
}
