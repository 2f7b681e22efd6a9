/** Advice on work that is done again: loads and results to keep on chip, and what goes through HBM though it could stay. */

import { READS_HBM, WRITES_HBM } from '../../compile/directions';
import type { Change } from '../../experiments/changes';
import { previousUses } from '../../experiments/previousUse';
import { isRingOf } from '../../vocabulary/queues';
import { waysToKeep } from '../repeats';
import type { Room, Taken } from '../room';
import type { AdviceRule, Proposal } from '../rule';
import type { LineEvents, Subject } from '../subject';
import { fusedIterations } from './buffers';

export const keptTiles: AdviceRule = {
  name: 'keep-loaded',
  title: 'Keep in SBUF what is loaded again and again',
  sketch: 'move the load out of the loop, or take several of its iterations together (a block) and keep the tiles in a list',
  tried: 'loads of bytes that the line has loaded before are left out, where SBUF has room for the tiles until their last use',
  source: 'NKI matrix multiplication tutorial, hoisting loads and blocking',
  propose: (subject, room) => {
    const { direction, trigger } = subject.experiment.code.transfers;
    return keptOf(
      subject,
      room,
      line => line.transfers.filter(t => READS_HBM[direction[t]]).map(t => trigger[t]),
      (again, all) => `${again} of its ${all} loads bring bytes that it has loaded before.`,
    );
  },
};

export const keptResults: AdviceRule = {
  name: 'keep-computed',
  title: 'Keep results that are computed again',
  sketch: 'move the instruction out of the loop that does not change what it reads, or change the order of the loops',
  tried:
    'instructions are left out that compute what their line has computed before of the same values, where there is room for the results',
  source: 'NKI fused Mamba tutorial, order of loops',
  propose: (subject, room) =>
    keptOf(
      subject,
      room,
      line => line.instructions.filter(i => subject.experiment.code.instructions.transfer[i] < 0 && subject.producers(i).length > 0),
      (again, all) => `${again} of its ${all} instructions compute what it has computed before.`,
    ),
};

/** Every way of every line, and each line's furthest all together. */
function keptOf(
  subject: Subject,
  room: Room,
  candidates: (line: LineEvents) => number[],
  reason: (again: number, all: number) => string,
): Proposal[] {
  const found = subject.lines.flatMap(line => {
    const own = candidates(line).sort((a, b) => a - b);
    const ways = waysToKeep(subject, room, own);
    return ways.length > 0 ? [{ line, own, ways }] : [];
  });
  const { transfer } = subject.experiment.code.instructions;
  return found.flatMap(({ line: { file, line }, own, ways }) => {
    const proposals = ways.map(({ name, again, keeps }): Proposal => {
      const transfers = again.map(i => transfer[i]).filter(t => t >= 0);
      const changes = [subject.without(again, transfers)];
      return { file, line, reason: reason(again.length, own.length), changes, keeps, way: name };
    });
    const furthest = proposals.findLast(({ keeps }) => room.lacking(keeps!) === undefined);
    return found.length > 1 && furthest ? [...proposals, { ...furthest, way: 'each of them once' }] : proposals;
  });
}

/** Iterations of the loop that several become, of which engines do parts at a time. */
const FUSED_OPEN = 2;

export const fusedLoops: AdviceRule = {
  name: 'fuse-loops',
  title: 'Keep what passes from one loop to the next in SBUF',
  sketch: 'make one loop of those that store a tensor and load it again, and use the tile itself',
  tried:
    'stores and loads of tensors that the kernel writes and reads back are left out, in the order of the kernel, or with iterations of the same number together',
  source: 'NKI attention tutorial, loop fusion',
  propose: (subject, room) => {
    const isBack = roundTrips(subject);
    const proposals = withoutDmas(
      subject,
      t => isBack(t) && !isSpill(subject, t),
      count => `${count} of its DMAs move a tensor that the kernel stores and loads again.`,
    );
    if (proposals.length === 0) return [];
    // Each line's tiles are those of all: what one of them has no room for, none has.
    const keeps = passedOn(subject, room, isBack);
    const asTheyAre = proposals.map(proposal => ({ ...proposal, keeps }));
    const iteration = fusedIterations(subject);
    if (!iteration) return asTheyAre;
    const keepsTogether = ofIterations(subject, room, isBack, iteration);
    const together: Change = {
      kind: 'pipelined',
      open: FUSED_OPEN,
      iteration,
      producers: subject.flow,
      previous: previousUses(subject.profile),
    };
    return [
      ...asTheyAre.map(proposal => ({ ...proposal, way: 'the loops as they are' })),
      ...proposals.map(proposal => ({
        ...proposal,
        changes: [...proposal.changes, together],
        keeps: keepsTogether,
        way: 'one loop of all of them',
      })),
    ];
  },
};

export const isSpill = ({ experiment: { code } }: Subject, t: number) => {
  const { name } = code.queues[code.transfers.queue[t]];
  return isRingOf(name, 'SpillSave') || isRingOf(name, 'SpillReload');
};

export function withoutDmas(subject: Subject, is: (transfer: number) => boolean, reason: (count: number) => string): Proposal[] {
  const { trigger } = subject.experiment.code.transfers;
  return subject.lines.flatMap(({ file, line, transfers }) => {
    const own = transfers.filter(is);
    if (own.length === 0) return [];
    const triggers = own.map(t => trigger[t]);
    return [{ file, line, reason: reason(own.length), changes: [subject.without(triggers, own)] }];
  });
}

/**
 * The tiles that are not stored, each until the last load of it has been used, in place of those that are loaded. What is loaded in other
 * pieces than it was stored stays until the last load of its tensor.
 */
function passedOn(subject: Subject, room: Room, isBack: (transfer: number) => boolean): Taken[] {
  const { tensor, direction, trigger } = subject.experiment.code.transfers;
  const all = Array.from(tensor.keys()).filter(isBack);
  const loads = all.filter(t => READS_HBM[direction[t]]).map(t => trigger[t]);
  const usedUntil = new Map<string, number>();
  const use = (key: string, place: number) => usedUntil.set(key, Math.max(usedUntil.get(key) ?? 0, place));
  for (const t of all) {
    if (!READS_HBM[direction[t]]) continue;
    const last = room.usedUntil([trigger[t]]);
    use(`${tensor[t]}`, last);
    use(`${tensor[t]} ${subject.partInHbm(trigger[t])}`, last);
  }
  const stored = all.filter(t => WRITES_HBM[direction[t]] && !READS_HBM[direction[t]]);
  const keeps = stored.flatMap(t =>
    room.storedFrom(trigger[t], usedUntil.get(`${tensor[t]} ${subject.partInHbm(trigger[t])}`) ?? usedUntil.get(`${tensor[t]}`) ?? 0),
  );
  return [...keeps, ...room.freedBy(loads)];
}

/** All tiles that pass between loops in one iteration, for each iteration that is open, in place of those that are stored and loaded. */
function ofIterations(subject: Subject, room: Room, isBack: (transfer: number) => boolean, iteration: Uint32Array): Taken[] {
  const { tensor, direction, trigger } = subject.experiment.code.transfers;
  const all = Array.from(tensor.keys()).filter(isBack);
  const [loads, stores] = [READS_HBM, WRITES_HBM].map(is => all.filter(t => is[direction[t]]).map(t => trigger[t]));
  const to = room.usedUntil(loads);
  const from = stores.reduce((least, i) => Math.min(least, room.placeOf(i)), to);
  const sums = new Map<string, Map<number, Taken>>();
  for (const i of stores)
    for (const taken of room.storedFrom(i, to)) {
      const key = `${taken.core} ${taken.space}`;
      const own = sums.get(key) ?? new Map<number, Taken>();
      sums.set(key, own);
      const sizeBytes = (own.get(iteration[i])?.sizeBytes ?? 0) + FUSED_OPEN * taken.sizeBytes;
      own.set(iteration[i], { ...taken, from, sizeBytes });
    }
  const largest = [...sums.values()].map(own => [...own.values()].reduce((a, b) => (b.sizeBytes > a.sizeBytes ? b : a)));
  return [...largest, ...room.freedBy(loads), ...room.freedFrom(stores)];
}

const SEVERAL = -1;

/** Whether a transfer moves a tensor that is neither an input nor an output, and both stored and loaded, on one core. */
function roundTrips({ profile, experiment }: Subject): (transfer: number) => boolean {
  const { tensor, direction, trigger } = experiment.code.transfers;
  /** Of each tensor the core that moves it; cores exchange by HBM what several of them move. */
  const coreOf = new Map<number, number>();
  const outside = new Set([...profile.inputs, ...profile.outputs].map(({ name }) => name));
  const [loaded, stored] = [new Set<number>(), new Set<number>()];
  for (let t = 0; t < tensor.length; t++) {
    if (READS_HBM[direction[t]]) loaded.add(tensor[t]);
    if (WRITES_HBM[direction[t]]) stored.add(tensor[t]);
    const core = experiment.coreOf(trigger[t]);
    coreOf.set(tensor[t], (coreOf.get(tensor[t]) ?? core) === core ? core : SEVERAL);
  }
  const isOwn = (t: number) => coreOf.get(tensor[t]) !== SEVERAL;
  return t => loaded.has(tensor[t]) && stored.has(tensor[t]) && isOwn(t) && !outside.has(profile.strings[tensor[t]]);
}
