/** Messages between the page of a sweep and the editor. */

export type SweptValue = string | number | boolean | null;

/** A point that has finished. */
export interface SweepRow {
  /** Its place among the points of the sweep. */
  index: number;
  parameters: Readonly<Record<string, SweptValue>>;
  /** Null where it does not run. */
  totalTimeNs: number | null;
  likelyNs: readonly [low: number, high: number] | null;
  bound: string | null;
  instructions: number | null;
  sbufPeakBytes: number | null;
  psumPeakBytes: number | null;
  error: string | null;
}

export type ToSweep =
  /** A run of the sweep begins; `names` of its parameters. */
  | { kind: 'begin'; title: string; names: string[]; points: number; canWrite: boolean }
  | { kind: 'rows'; rows: SweepRow[] }
  /** The message is for the user; empty: all is well. */
  | { kind: 'end'; reason: 'done' | 'stopped' | 'failed'; message: string };

export type FromSweep =
  | { kind: 'ready' }
  | { kind: 'cancel' }
  | { kind: 'resume' }
  | { kind: 'export' }
  /** Its timeline; beside that of the fastest; its constants into the file. */
  | { kind: 'open' | 'compare' | 'write'; index: number };
