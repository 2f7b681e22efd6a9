/** Advice on the order of loops: two of them change places, where no dependence forbids it. */
import { loopPairs } from '../../experiments/loopNest';
import { SPACES } from '../../vocabulary/spaces';
import { loopOrder, mayChangePlaces } from '../loopOrders';
import type { AdviceRule, Proposal } from '../rule';
import type { Subject } from '../subject';

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
  propose: subject => {
    // What a core waits for in another one is not looked at.
    if ((subject.profile.machine.cores ?? 1) > 1) return [];
    const freeBytes = freeSbufBytes(subject);
    return loopPairs(subject.profile, subject.ordinal).flatMap((pair): Proposal[] => {
      const [present, swapped] = [false, true].map(isSwapped => loopOrder(subject, pair, isSwapped, true));
      if (swapped.again === 0 || swapped.keptBytes > freeBytes || !mayChangePlaces(subject, pair)) return [];
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
          comparedWith: [loopOrder(subject, pair, false, false).change],
          way: `loop ${innerName} of line ${innerLine} around loop ${outerName} of line ${outerLine}`,
        },
      ];
    });
  },
};

/** Of each partition, that nothing takes at any time. */
function freeSbufBytes({ profile, experiment }: Subject): number {
  const { startNs, endNs, space, sizeBytes } = profile.allocations;
  const turns: { ns: number; bytes: number }[] = [];
  for (let a = 0; a < startNs.length; a++)
    if (space[a] === SBUF) turns.push({ ns: startNs[a], bytes: sizeBytes[a] }, { ns: endNs[a], bytes: -sizeBytes[a] });
  turns.sort((a, b) => a.ns - b.ns || a.bytes - b.bytes);
  let [taken, most] = [0, 0];
  for (const { bytes } of turns) {
    taken += bytes;
    most = Math.max(most, taken);
  }
  return experiment.code.machine.sbufBytesPerPartition.value - most;
}
