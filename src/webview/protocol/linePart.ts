/** What a number came from that the editor shows beside a source line. Types only. */

/** Of the line's own events, those of helpers that it calls left out: */
export type LinePart =
  /** those on the critical path; */
  | { part: 'path' }
  /** instructions, or DMA transfers; */
  | { part: 'instructions' | 'transfers' }
  /** what ran on a row of this name, all transfers for `DMA`; */
  | { part: 'engine'; name: string }
  /** what waited for this reason. */
  | { part: 'waits'; reason: string }
  /** The warning of this rule that is about the line. */
  | { part: 'warning'; rule: string; title: string }
  /** What the kernel takes when the line saves so much of its time, 0..1. */
  | { part: 'whatIf'; savedShare: number };
