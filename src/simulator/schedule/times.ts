/** The result of scheduling: when each event was ready, started and ended, and why it waited. Columns, in ns. */
import type { Slices } from './slices';

/** An instruction that waited for another core, and the event because of which that core was late; -1: none. */
export interface CoreWait {
  instruction: number;
  /** The event on the other core, and the number of that core. */
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
  /** The turns of single DMA engines, sorted by start. */
  slices: Slices;
  /** For a run of several cores: its waits for the other cores. */
  coreWaits?: CoreWait[];
  /** First instruction (as a rule a DMA trigger) to last payload or result. */
  bodyStartNs: number;
  bodyEndNs: number;
}
