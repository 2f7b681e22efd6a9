/** Advice on DMAs: who makes their descriptors, how many there are, what is loaded again, and which queues they go through. */

import { bytesText, counted } from '../../analyze/format';
import { hasShortRuns } from '../../analyze/shortRuns';
import { DGE_MODES } from '../../vocabulary/queues';
import type { ArgumentEdit } from '../edits';
import type { AdviceRule, Proposal } from '../rule';
import type { LineEvents } from '../subject';

const SOFTWARE = DGE_MODES.indexOf('software');
/** Neuron Explorer's small-DMA band ends here. */
const SMALL_BYTES = 32 * 1024;
/** So many become one in the experiments. */
const MERGED = [4, 16];
/** NKI DMA bandwidth guide: at least so many bytes of a partition. */
const LONG_RUN_BYTES = 2048;
/** Largest DMA after merging: 16 KiB in each of the 128 partitions of a tile. */
const MERGED_BYTES = 2 * 1024 * 1024;

/** The argument that asks for it. NKI ISA, dma_copy and dma_transpose. */
const HARDWARE: ArgumentEdit = { calls: ['dma_copy', 'dma_transpose'], keyword: 'dge_mode', value: 'dge_mode.hwdge' };

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
      const reason = `GpSimd writes the descriptors of ${counted(own.length, 'DMA')} in software.`;
      return [{ ...proposal(line, reason, { kind: 'descriptors', events }), edit: HARDWARE }];
    });
  },
};

export const mergedDmas: AdviceRule = {
  name: 'merge-dmas',
  title: 'Move more bytes with each DMA',
  sketch: 'load several tiles with one dma_copy into a wider tile, and slice it in SBUF',
  tried: `${MERGED.join(' or ')} DMAs of a line as one: their start-up and end are paid once`,
  source: 'NKI performance guide, DMA efficiency',
  propose: subject => {
    const { bytes } = subject.experiment.code.transfers;
    return subject.lines.flatMap(line => {
      const { transfers } = line;
      const mean = transfers.reduce((sum, t) => sum + bytes[t], 0) / transfers.length;
      const reason = `${counted(transfers.length, 'DMA')} of ${bytesText(Math.round(mean))} on average.`;
      const events = subject.mask([], transfers);
      return MERGED.filter(by => transfers.length >= by && mean < SMALL_BYTES * MERGED[0] && mean * by <= MERGED_BYTES).map(by => ({
        ...proposal(line, reason, { kind: 'merged DMAs', events, by }),
        way: `${by} DMAs as one`,
      }));
    });
  },
};

export const longerRuns: AdviceRule = {
  name: 'longer-runs',
  title: 'Move longer runs of bytes',
  sketch: 'dma_copy between tensors whose last dimensions are in one order; nc_transpose on chip where that order has to change',
  tried: `the DMAs of these lines in packets of ${bytesText(LONG_RUN_BYTES)}, or of a partition's bytes where these are fewer`,
  source: 'NKI DMA bandwidth guide',
  propose: subject => {
    const { transfers, machine } = subject.experiment.code;
    return subject.lines.flatMap(line => {
      const own = line.transfers.filter(t => hasShortRuns(transfers, t, machine.partitions.value));
      if (own.length === 0) return [];
      const sum = (column: ArrayLike<number>) => own.reduce((all, t) => all + column[t], 0);
      const reason = `${counted(own.length, 'DMA')} in packets of ${bytesText(Math.round(sum(transfers.bytes) / sum(transfers.packets)))} on average.`;
      return [proposal(line, reason, { kind: 'longer runs', events: subject.mask([], own), runBytes: LONG_RUN_BYTES })];
    });
  },
};

export const rowsForColumns: AdviceRule = {
  name: 'rows-for-columns',
  title: 'Store a row instead of a column of a few bytes',
  sketch:
    'nisa.nc_transpose of the column into one partition, and dma_copy of that row; or the columns of several tiles side by side, stored together',
  tried: 'the writes of these DMAs as if none had to wait for another one of the same burst of HBM; what a transpose takes is not counted',
  source: 'NKI DMA bandwidth guide',
  propose: subject => {
    const { transfers, cuts, machine } = subject.experiment.code;
    const isColumn = (t: number) => cuts.sameBurst[transfers.cut[t]] > 0 && !hasShortRuns(transfers, t, machine.partitions.value);
    return subject.lines.flatMap(line => {
      const own = line.transfers.filter(isColumn);
      if (own.length === 0) return [];
      const [burst, bytes] = [machine.dma.hbmBurstBytes.value, transfers.bytes[own[0]] / transfers.packets[own[0]]];
      const reason = `${counted(own.length, 'DMA')} whose rows of ${bytesText(Math.round(bytes))} share bursts of ${bytesText(burst)}.`;
      return [proposal(line, reason, { kind: 'longer runs', events: subject.mask([], own), runBytes: LONG_RUN_BYTES })];
    });
  },
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

const proposal = ({ file, line }: LineEvents, reason: string, ...changes: Proposal['changes']): Proposal => ({
  file,
  line,
  reason,
  changes,
});
