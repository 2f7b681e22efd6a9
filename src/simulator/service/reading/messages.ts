/** What the reading client and its worker say to each other. Types only. */
import type { AdviceReport } from '../../advice/advise';
import type { Comparison } from '../../analyze/compare/compare';
import type { Line, LineOptions } from '../../analyze/lines';
import type { PathReport, SlackSummary } from '../../analyze/pathReport';
import type { CausalLine } from '../../experiments/causal';
import type { NextPath } from '../../experiments/nextPath';
import type { Answer, Question } from '../../experiments/whatIf';
import type { Replay } from '../../replay/replay';

/** A file, or a folder of tables; or the bytes of a file that this machine has no path of. */
export type ProfileSource =
  | {
      path: string;
      /** Folder in which the sources that a capture names are looked for. */
      sourceRoot?: string;
      /** The NEFF that an NTFF is of; absent: the one of the same name beside it, if there is one. */
      neff?: string;
    }
  | { bytes: Uint8Array /** Of the profile, when the file has none of its own. */; name: string };

/** Every job says what it reads: the deadline depends on its size. */
export interface JobInput {
  sources: readonly ProfileSource[];
}

/** Of a profile that cannot be timed again there is no next path. */
export interface PathOfProfile extends PathReport {
  slack: SlackSummary;
  next: NextPath | null;
  whyNoNext: string | null;
}

/** What one job of a name is given, and what it answers. */
export interface ReadJobs {
  /** The profile's container, decoded once to be sure of it. */
  container(given: JobInput): Uint8Array;
  /** `core`: of a run on several, only what this one did. */
  lines(given: JobInput & Required<Pick<LineOptions, 'attribute'>> & { core?: number }): Line[];
  path(given: JobInput): PathOfProfile;
  /** The first source is the run before, the second the run after. */
  compare(given: JobInput): Comparison;
  /** @param given `target`: the machine that was recorded; undefined: the file says it */
  replay(given: JobInput & { target: string | undefined }): Replay;
  /** @param given `questions` undefined: the usual ones */
  whatIf(given: JobInput & { questions: readonly Question[] | undefined }): Answer[];
  advise(given: JobInput): AdviceReport;
  /** @param given `part`: of the hottest lines, those whose rank leaves the rest `index` */
  causal(given: JobInput & { part: { index: number; of: number } }): CausalLine[];
}

/** A part of what a job writes; of several files, with the file's name. */
export interface OutputPiece {
  name?: string;
  bytes: Uint8Array;
}

/** One job after another; `more`: another piece may be sent. */
export type ReaderRequest = { type: 'job'; job: string; given: JobInput } | { type: 'more' };

/** The client answers each piece with `more`. */
export type ReaderMessage =
  /** How much of the job is done, 0..1. */
  | { type: 'progress'; share: number }
  | { type: 'piece'; piece: OutputPiece }
  | { type: 'done'; answer: unknown }
  | { type: 'failed'; kind: 'format' | 'disk'; message: string; path?: string; code?: string }
  /** Our own fault: a report to paste. */
  | { type: 'fault'; report: string };
