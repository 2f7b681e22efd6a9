/**
 * The span of `total_time`: from the earliest begin mark to the latest end mark, on the core that runs the kernel. The file also has the
 * runtime's work before and after. It is left out, as in neuron-profile. Times from here on are nanoseconds from its begin.
 */
import { FormatError } from '../../../columns/container';
import type { NtffGraph } from './container';
import { type NtffInstruction, wordOf } from './instructions';
import { MARK, markOf } from './words';

export class Window {
  /** @param totalPs as recorded, to the picosecond */
  constructor(
    private readonly beginPs: number,
    private readonly endPs: number,
    readonly totalPs: number,
  ) {}

  /** Whether an event begins in it. */
  readonly begins = ({ startPs }: { startPs: number }) => startPs >= this.beginPs && startPs <= this.endPs;
  /** Whether an event is completely inside. */
  readonly holds = ({ startPs, endPs }: { startPs: number; endPs: number }) =>
    startPs >= this.beginPs && endPs <= this.beginPs + this.totalPs;

  ns(timePs: number): number {
    return (timePs - this.beginPs) / 1000;
  }
}

/** @param instructions of the core that runs the kernel, on one clock @throws FormatError without marks */
export function windowOf(graph: NtffGraph, instructions: readonly NtffInstruction[]): Window {
  let [beginPs, endPs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const one of instructions) {
    const mark = markOf(wordOf(graph, one));
    if (mark === MARK.begin) beginPs = Math.min(beginPs, one.startPs);
    if (mark === MARK.end) endPs = Math.max(endPs, one.startPs);
  }
  if (!(endPs >= beginPs)) throw new FormatError('the NTFF marks no begin and end of a run: it is damaged, or nothing ran');
  const totalPs = graph.totalPs > 0 ? graph.totalPs : endPs - beginPs;
  return new Window(beginPs, Math.max(endPs, beginPs + totalPs), totalPs);
}
