/** Advice on iterations that wait for one another: more buffers, or work on two iterations at a time. */
import { bufferWaits } from '../../experiments/changes';
import { loopBuffers } from '../../experiments/loopBuffers';
import { previousUses } from '../../experiments/previousUse';

import type { AdviceRule, Proposal } from '../rule';
import type { Subject } from '../subject';

export const doubleBuffer: AdviceRule = {
  name: 'double-buffer',
  title: 'Use twice as many buffers',
  sketch: 'leave the place of the tile to the compiler, or allocate two of them and use buffers[i % 2]',
  tried: 'twice as many buffers for what these lines write',
  source: 'NKI performance guide, overlapping data movement and compute',
  propose: (subject, room) => {
    const { code, profile } = subject.experiment;
    const previous = previousUses(profile);
    return subject.lines.flatMap(({ file, line, instructions }) => {
      const waiting = instructions.filter(i => bufferWaits(code, i).length > 0);
      if (waiting.length === 0) return [];
      const reason = `${waiting.length} of its ${instructions.length} instructions write memory that earlier ones still use.`;
      const changes = [{ kind: 'doubled buffers' as const, events: subject.mask(waiting), previous }];
      return [{ file, line, reason, changes, keeps: room.placesOf(waiting) }];
    });
  },
};

/** A loop with fewer iterations has no steady state. */
const LEAST_ITERATIONS = 4;
/** Iterations that are worked on at a time. */
const STAGES = [2, 3];
/** Loops around loops that are looked at. */
const MOST_DEPTH = 4;

export const pipelinedLoop: AdviceRule = {
  name: 'pipeline-loop',
  title: 'Begin the next iteration before this one has ended',
  sketch:
    'write the loop as a software pipeline: each turn does the first part of iteration i + 1 and the last part of iteration i, with a buffer for each of them',
  tried:
    'each engine takes the first instruction whose data is there, of two or three iterations of the loop at a time, where SBUF and PSUM have room for the buffers of each of them',
  source: 'NKI attention tutorial, software pipelining',
  propose: subject => {
    const previous = previousUses(subject.profile);
    const proposals: Proposal[] = [];
    for (let depth = 0; depth < MOST_DEPTH; depth++) {
      const found = subject.iterationsAt(depth);
      if (!found || found.count < LEAST_ITERATIONS) continue;
      const { name, file, line, iteration, count } = found;
      const reason = `Loop ${name} has ${count} iterations, and engines wait within one while the next could go on.`;
      const buffers = loopBuffers(subject.profile, subject.flow, iteration);
      for (const open of STAGES) {
        const change = { kind: 'pipelined' as const, open, iteration, producers: subject.flow, previous, buffers };
        const way = `${open} iterations of loop ${name} of line ${line} at a time`;
        proposals.push({ file, line, reason, changes: [change], way });
      }
    }
    return proposals;
  },
};

/** What the engines can do when loops are one: iterations with the same number together. */
export function fusedIterations(subject: Subject): Uint32Array | null {
  for (let depth = 0; depth < MOST_DEPTH; depth++) {
    const ordinals = subject.ordinalsAt(depth);
    if (ordinals.some(ordinal => ordinal >= LEAST_ITERATIONS)) return ordinals;
  }
  return null;
}
