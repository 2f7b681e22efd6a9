/** A rule of advice proposes changes. Each has an experiment that measures its gain. */
import type { Position } from '../analyze/places';
import type { Change } from '../experiments/changes';
import type { ArgumentEdit } from './edits';
import type { Room, Taken } from './room';
import type { Subject } from './subject';

/** One change to one line. */
export interface Proposal extends Position {
  /** The problem of the line, with numbers of this profile. */
  reason: string;
  /** The changes of the experiment. */
  changes: Change[];
  /** The experiment whose time they are compared with. Absent: the profile as it is. */
  comparedWith?: Change[];
  /** What it keeps on chip besides what is there: it is tried where that fits. */
  keeps?: Taken[];
  /** Name of the way, if the rule can be followed in several ways. Changes of one way are tried together. Absent: there is one way. */
  way?: string;
  /** The argument that does it, where one does. */
  edit?: ArgumentEdit;
}

export interface AdviceRule {
  name: string;
  /** The instruction to the user, in the imperative. */
  title: string;
  /** How it is written in NKI. */
  sketch: string;
  /** The experiment in words, shown with the gain. */
  tried: string;
  /** Document of AWS that recommends it. */
  source: string;
  /** The dtype to which operands of matmuls are cast, where the change is that. What it does to the values is tried by `service/narrowedAdvice.ts`. */
  narrowsTo?: string;
  propose(subject: Subject, room: Room): Proposal[];
}
