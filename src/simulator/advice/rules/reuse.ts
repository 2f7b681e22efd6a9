/** Advice on work that is done again: loads and results to keep on chip, and what goes through HBM though it could stay. */

import { READS_HBM, WRITES_HBM } from '../../compile/directions';
import type { Change } from '../../experiments/changes';
import { previousUses } from '../../experiments/previousUse';
import { isRingOf } from '../../vocabulary/queues';
import { waysToKeep } from '../repeats';
import type { AdviceRule, Proposal } from '../rule';
import type { LineEvents, Subject } from '../subject';
import { fusedIterations } from './buffers';

export const keptTiles: AdviceRule = {
  name: 'keep-loaded',
  title: 'Keep in SBUF what is loaded again and again',
  sketch: 'move the load out of the loop, or take several of its iterations together (a block) and keep the tiles in a list',
  tried: 'loads of bytes that the line has loaded before are left out, as far as SBUF can hold them',
  source: 'NKI matrix multiplication tutorial, hoisting loads and blocking',
  propose: subject => {
    const { direction, trigger } = subject.experiment.code.transfers;
    return keptOf(
      subject,
      line => line.transfers.filter(t => READS_HBM[direction[t]]).map(t => trigger[t]),
      (again, all) => `${again} of its ${all} loads bring bytes that it has loaded before.`,
    );
  },
};

export const keptResults: AdviceRule = {
  name: 'keep-computed',
  title: 'Keep results that are computed again',
  sketch: 'move the instruction out of the loop that does not change what it reads, or change the order of the loops',
  tried: 'instructions are left out that compute what their line has computed before of the same values, as far as SBUF can hold it',
  source: 'NKI fused Mamba tutorial, order of loops',
  propose: subject =>
    keptOf(
      subject,
      line => line.instructions.filter(i => subject.experiment.code.instructions.transfer[i] < 0 && subject.producers(i).length > 0),
      (again, all) => `${again} of its ${all} instructions compute what it has computed before.`,
    ),
};

/** Every way of every line, and each line's furthest all together. */
function keptOf(subject: Subject, candidates: (line: LineEvents) => number[], reason: (again: number, all: number) => string): Proposal[] {
  const found = subject.lines.flatMap(line => {
    const own = candidates(line).sort((a, b) => a - b);
    const ways = waysToKeep(subject, own);
    return ways.length > 0 ? [{ line, own, ways }] : [];
  });
  const { transfer } = subject.experiment.code.instructions;
  return found.flatMap(({ line: { file, line }, own, ways }) => {
    const proposals = ways.map(({ name, again }): Proposal => {
      const transfers = again.map(i => transfer[i]).filter(t => t >= 0);
      const changes = [subject.without(again, transfers)];
      return { file, line, reason: reason(again.length, own.length), changes, way: name };
    });
    return found.length > 1 ? [...proposals, { ...proposals.at(-1)!, way: 'each of them once' }] : proposals;
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
  propose: subject => {
    const isBack = roundTrips(subject);
    const proposals = withoutDmas(
      subject,
      t => isBack(t) && !isSpill(subject, t),
      count => `${count} of its DMAs move a tensor that the kernel stores and loads again.`,
    );
    const iteration = proposals.length > 0 ? fusedIterations(subject) : null;
    if (!iteration) return proposals;
    const together: Change = {
      kind: 'pipelined',
      open: FUSED_OPEN,
      iteration,
      producers: subject.flow,
      previous: previousUses(subject.profile),
    };
    return [
      ...proposals.map(proposal => ({ ...proposal, way: 'the loops as they are' })),
      ...proposals.map(proposal => ({ ...proposal, changes: [...proposal.changes, together], way: 'one loop of all of them' })),
    ];
  },
};

export const smallerTiles: AdviceRule = {
  name: 'smaller-tiles',
  title: 'Work on smaller tiles, so that they fit into SBUF',
  sketch: 'add a loop over parts of the free dimension around the lines that work on large tiles',
  tried: 'the DMAs are left out with which the compiler moves tiles to HBM and back for lack of room',
  source: 'NKI fused Mamba tutorial, tiling seq_len against spilling',
  propose: subject =>
    withoutDmas(
      subject,
      t => isSpill(subject, t),
      count => `${count} DMAs move its tiles to HBM and back, because SBUF has no room for them.`,
    ),
};

const isSpill = ({ experiment: { code } }: Subject, t: number) => {
  const { name } = code.queues[code.transfers.queue[t]];
  return isRingOf(name, 'SpillSave') || isRingOf(name, 'SpillReload');
};

function withoutDmas(subject: Subject, is: (transfer: number) => boolean, reason: (count: number) => string): Proposal[] {
  const { trigger } = subject.experiment.code.transfers;
  return subject.lines.flatMap(({ file, line, transfers }) => {
    const own = transfers.filter(is);
    if (own.length === 0) return [];
    const triggers = own.map(t => trigger[t]);
    return [{ file, line, reason: reason(own.length), changes: [subject.without(triggers, own)] }];
  });
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
