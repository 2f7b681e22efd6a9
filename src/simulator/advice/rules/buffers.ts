/** Advice on buffers: more of them, so that the next tile is loaded or computed while this one is used. */
import { bufferWaits } from '../../experiments/changes';
import { previousUses } from '../../experiments/previousUse';
import type { AdviceRule } from '../rule';

export const doubleBuffer: AdviceRule = {
  name: 'double-buffer',
  title: 'Use twice as many buffers',
  sketch: 'leave the place of the tile to the compiler, or allocate two of them and use buffers[i % 2]',
  tried: 'twice as many buffers for what these lines write',
  source: 'NKI performance guide, overlapping data movement and compute',
  propose: subject => {
    const { code, profile } = subject.experiment;
    const previous = previousUses(profile);
    return subject.lines.flatMap(({ file, line, instructions }) => {
      const waiting = instructions.filter(i => bufferWaits(code, i).length > 0);
      if (waiting.length === 0) return [];
      const reason = `${waiting.length} of its ${instructions.length} instructions write memory that earlier ones still use.`;
      return [{ file, line, reason, changes: [{ kind: 'doubled buffers' as const, events: subject.mask(waiting), previous }] }];
    });
  },
};
