/** Advice on loops: two of them change places, where no dependence forbids it; Python runs a short one in place of the sequencers. */
import { type LoopPair, loopPairs } from '../../experiments/loopNest';
import { BRANCH } from '../../vocabulary/registerOpcodes';
import { SPACES } from '../../vocabulary/spaces';
import { loopOrder, mayChangePlaces } from '../loopOrders';
import type { Room, Taken } from '../room';
import type { AdviceRule, Proposal } from '../rule';

const SBUF = SPACES.indexOf('sbuf');

/** Of the whole time, that the order must gain beside what could be kept in the order that is there. */
const LEAST_SHARE = 0.01;

export const interchangedLoops: AdviceRule = {
  name: 'order-of-loops',
  title: 'Let two loops change places',
  sketch: 'swap the lines of both loops, and move out of the inner one what does not change there',
  tried:
    'the instructions of these loops in the other order, with the loads and results kept that the iteration before had; no dependence of this run is turned around',
  source: 'NKI fused Mamba tutorial, order of loops',
  propose: (subject, room) => {
    // What a core waits for in another one is not looked at.
    if ((subject.profile.machine.cores ?? 1) > 1) return [];
    return loopPairs(subject.profile, subject.ordinal).flatMap((pair): Proposal[] => {
      const [present, swapped] = [false, true].map(isSwapped => loopOrder(subject, pair, isSwapped, true));
      if (swapped.again === 0 || !mayChangePlaces(subject, pair)) return [];
      const { experiment, profile } = subject;
      const gainNs = experiment.totalNs(present.change) - experiment.totalNs(swapped.change);
      if (gainNs < LEAST_SHARE * profile.totalTimeNs) return [];
      const { outerName, outerLine, innerName, innerLine, example } = pair;
      return [
        {
          file: subject.fileOf(example),
          line: outerLine,
          reason: `With loop ${innerName} around loop ${outerName}, ${swapped.again} loads and results are those of the iteration before; as they are, ${present.again}.`,
          changes: [swapped.change],
          keeps: keptIn(room, pair, swapped.keptBytes),
          comparedWith: [loopOrder(subject, pair, false, false).change],
          way: `loop ${innerName} of line ${innerLine} around loop ${outerName} of line ${outerLine}`,
        },
      ];
    });
  },
};

/** These bytes, in each run of the loops. */
function keptIn(room: Room, { nests }: LoopPair, sizeBytes: number): Taken[] {
  return nests.map(({ from, to }): Taken => {
    const own = Array.from({ length: to - from }, (_, k) => room.placeOf(from + k));
    const [first, last] = [own.reduce((x, y) => Math.min(x, y)), own.reduce((x, y) => Math.max(x, y))];
    return { core: 0, space: SBUF, from: first, to: last, sizeBytes };
  });
}

/** More turns than this would be too much code. */
const MOST_TURNS = 256;

export const unrolledLoop: AdviceRule = {
  name: 'unroll-loop',
  title: 'Let Python run a short loop',
  sketch:
    'where the number of turns is known when the kernel is traced: write range(...) for nl.dynamic_range(...), or a for statement for nl.fori_loop(...)',
  tried: 'no branches at the ends of turns: instructions and DMAs of a turn wait only for the data of others',
  source: 'NKI loops (deep dive), choosing a loop',
  propose: subject =>
    subject.lines.flatMap(({ file, line, instructions }) => {
      const branches = instructions.filter(i => subject.opcode(i) === BRANCH);
      if (branches.length < 2 || branches.length > MOST_TURNS) return [];
      const reason = `The loop has ${branches.length} turns. Each waits until all engines and DMAs have ended the one before.`;
      return [{ file, line, reason, changes: [subject.withoutAll(branches, () => false)] }];
    }),
};
