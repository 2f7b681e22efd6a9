/** Advice on DMAs: who makes their descriptors, how many there are, what is loaded again, and which queues they go through. */

import { bytesText } from '../../analyze/format';
import { READS_HBM } from '../../compile/directions';
import { isSource } from '../../profile/profile';
import { DGE_MODES } from '../../vocabulary/queues';
import type { AdviceRule, Proposal } from '../rule';
import type { LineEvents, Subject } from '../subject';

const SOFTWARE = DGE_MODES.indexOf('software');
/** Neuron Explorer's small-DMA band ends here. */
const SMALL_BYTES = 32 * 1024;
/** So many become one in the experiment: larger groups gain little more. */
const MERGED = 4;

export const hardwareDescriptors: AdviceRule = {
  name: 'hardware-descriptors',
  title: 'Let hardware make the DMA descriptors',
  sketch: 'nisa.dma_copy(dst=..., src=..., dge_mode=nisa.dge_mode.hwdge)',
  tried: 'the DMAs of these lines with hardware descriptors instead of those that GpSimd writes',
  source: 'NKI DMA overview, Descriptor Generation Engine',
  propose: subject => {
    if (!subject.experiment.code.machine.dma.triggers.hardware) return [];
    const { mode } = subject.experiment.code.transfers;
    return subject.lines.flatMap(line => {
      const own = line.transfers.filter(t => mode[t] === SOFTWARE);
      if (own.length === 0) return [];
      const events = subject.mask([], own);
      return [
        proposal(line, `GpSimd writes the descriptors of ${counted(own.length, 'DMA')} in software.`, { kind: 'descriptors', events }),
      ];
    });
  },
};

export const mergedDmas: AdviceRule = {
  name: 'merge-dmas',
  title: 'Move more bytes with each DMA',
  sketch: 'load several tiles with one dma_copy into a wider tile, and slice it in SBUF',
  tried: `${MERGED} DMAs of a line as one: their start-up and end are paid once`,
  source: 'NKI performance guide, DMA efficiency',
  propose: subject => {
    const { bytes } = subject.experiment.code.transfers;
    return subject.lines.flatMap(line => {
      const { transfers } = line;
      if (transfers.length < MERGED) return [];
      const mean = transfers.reduce((sum, t) => sum + bytes[t], 0) / transfers.length;
      if (mean >= SMALL_BYTES * MERGED) return [];
      const reason = `${counted(transfers.length, 'DMA')} of ${bytesText(Math.round(mean))} on average.`;
      return [proposal(line, reason, { kind: 'merged DMAs', events: subject.mask([], transfers), by: MERGED })];
    });
  },
};

export const keptTiles: AdviceRule = {
  name: 'keep-loaded',
  title: 'Keep in SBUF what is loaded again and again',
  sketch: 'move the load out of the inner loop, or keep its tiles in a list',
  tried: 'every load of bytes that the same line had loaded before is free',
  source: 'NKI matrix multiplication tutorial, hoisting loads',
  propose: subject =>
    subject.lines.flatMap(line => {
      const again = repeatedLoads(subject, line);
      if (again.length === 0) return [];
      const triggers = again.map(t => subject.experiment.code.transfers.trigger[t]);
      const reason = `${again.length} of its ${counted(line.transfers.length, 'load')} bring bytes that it has loaded before.`;
      return [proposal(line, reason, { kind: 'events', events: subject.mask(triggers, again), speed: Infinity })];
    }),
};

export const secondQueue: AdviceRule = {
  name: 'second-queue',
  title: 'Trigger half of the DMAs from another engine',
  sketch: 'nisa.dma_copy(dst=..., src=..., engine=nisa.engine.sync) for every other one',
  tried: 'every other DMA of the line through a queue of its own, triggered by SyncE',
  source: 'NKI DMA overview, queues',
  propose: subject => {
    const { queues, transfers, streams } = subject.experiment.code;
    // Where GpSimd writes descriptors, that is what to change first.
    const isHardware = (t: number) => transfers.mode[t] !== SOFTWARE;
    const usesSync = streams.at(-1)!.length > 0;
    if (usesSync || !subject.experiment.code.machine.dma.triggers.hardware) return [];
    return subject.lines.flatMap(line => {
      if (line.transfers.length < 2 || !line.transfers.every(isHardware)) return [];
      const names = [...new Set(line.transfers.map(t => queues[transfers.queue[t]].name))];
      const reason = `All of its ${counted(line.transfers.length, 'DMA')} go through ${names.join(' and ')}.`;
      const events = subject.mask([], line.transfers);
      return [proposal(line, reason, { kind: 'second queue', events, engine: 'Sync' })];
    });
  },
};

/** Transfers out of HBM whose source the line has read before, by the places that their triggers read. */
function repeatedLoads(subject: Subject, { transfers }: LineEvents): number[] {
  const { direction, trigger, tensor } = subject.experiment.code.transfers;
  const met = new Set<string>();
  return transfers.filter(t => {
    if (!READS_HBM[direction[t]]) return false;
    const from = `${tensor[t]} ${subject.operands(trigger[t]).filter(operand => isSource(subject.profile, operand))}`;
    const isAgain = met.has(from);
    met.add(from);
    return isAgain;
  });
}

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

const proposal = ({ file, line }: LineEvents, reason: string, ...changes: Proposal['changes']): Proposal => ({
  file,
  line,
  reason,
  changes,
});
