/** Messages between the reading client and its worker, as types. */
import type { AdviceReport } from '../../advice/advise';
import type { Comparison } from '../../analyze/compare/compare';
import type { Line, LineOptions } from '../../analyze/lines';
import type { PathReport, SlackSummary } from '../../analyze/pathReport';
import type { NameParts } from '../../analyze/runNames';
import type { CausalLine } from '../../experiments/causal';
import type { NextPath } from '../../experiments/nextPath';
import type { Answer, Question } from '../../experiments/whatIf';
import type { SystemFilter } from '../../profile/systemFilter';
import type { Replay } from '../../replay/replay';

/** A file or a folder of tables; or the bytes of a file without a path on this machine. */
export type ProfileSource =
  | {
      path: string;
      /** Folder in which the sources of a capture are searched. */
      sourceRoot?: string;
      /** The NEFF of an NTFF; absent: the one of the same name beside it, if there is one. */
      neff?: string;
      /** Path of the recording that a tool of AWS made it from: what its rank and run are told by. */
      knownAs?: string;
      /** The part of a system profile that is wanted. */
      system?: SystemFilter;
    }
  | { bytes: Uint8Array /** Name of the profile if the file has none. */; name: string };

/** Every job names its sources, because the deadline depends on their size. */
export interface JobInput {
  sources: readonly ProfileSource[];
}

/** Of a profile that cannot be timed again there is no next path. */
export interface PathOfProfile extends PathReport {
  slack: SlackSummary;
  next: NextPath | null;
  whyNoNext: string | null;
}

/** A profile in a list. */
export interface Glance {
  name: NameParts;
  /** SVG. */
  picture: string;
}

/** Input and output of each job, by its name. */
export interface ReadJobs {
  /** The profile's container. It was decoded once as a check. */
  container(given: JobInput): Uint8Array;
  /** `core`: for a run on several cores, only the part of this core. */
  lines(given: JobInput & Required<Pick<LineOptions, 'attribute'>> & { core?: number }): Line[];
  path(given: JobInput): PathOfProfile;
  glance(given: JobInput): Glance;
  /** The first source is the old run, the second the new one. */
  compare(given: JobInput): Comparison;
  /** @param given `target`: the machine that was recorded; undefined: the file says it */
  replay(given: JobInput & { target: string | undefined }): Replay;
  /** @param given `questions` undefined: the default questions */
  whatIf(given: JobInput & { questions: readonly Question[] | undefined }): Answer[];
  /** The container of the profile with all of these changes at once. */
  retimed(given: JobInput & { questions: readonly Question[] }): Uint8Array;
  advise(given: JobInput): AdviceReport;
  /** @param given `part`: of the hottest lines, those whose rank leaves the rest `index` */
  causal(given: JobInput & { part: { index: number; of: number } }): CausalLine[];
}

/** A part of a job's output; with the file's name if there are several files. */
export interface OutputPiece {
  name?: string;
  bytes: Uint8Array;
}

/** One job after another; `more`: another piece may be sent. */
export type ReaderRequest = { type: 'job'; job: string; given: JobInput } | { type: 'more' };

/** The client answers each piece with `more`. */
export type ReaderMessage =
  /** The finished share of the job, 0..1. */
  | { type: 'progress'; share: number }
  | { type: 'piece'; piece: OutputPiece }
  | { type: 'done'; answer: unknown }
  | { type: 'failed'; kind: 'format' | 'disk'; message: string; path?: string; code?: string }
  /** Our own fault: a report to paste. */
  | { type: 'fault'; report: string };
