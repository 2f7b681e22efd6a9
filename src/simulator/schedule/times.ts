/** What scheduling gives: when each event was ready, started and ended, and why it waited. Columns, in ns. */
import type { Slices } from './slices';

/** An instruction waited for another core, which came late because of an event of its own; -1: none. */
export interface CoreWait {
  instruction: number;
  /** Of the other core, and which it is. */
  event: number;
  core: number;
}

export interface Schedule {
  instructions: { readyNs: Float64Array; startNs: Float64Array; endNs: Float64Array; stall: Uint8Array; blocker: Int32Array };
  transfers: {
    readyNs: Float64Array;
    startNs: Float64Array;
    endNs: Float64Array;
    doneNs: Float64Array;
    stall: Uint8Array;
    blocker: Int32Array;
  };
  /** What single DMA engines moved, turn by turn; by start. */
  slices: Slices;
  /** Of a core beside others: who held it up in them. */
  coreWaits?: CoreWait[];
  /** First instruction (as a rule a DMA trigger) to last payload or result. */
  bodyStartNs: number;
  bodyEndNs: number;
}
