/** What a rule of advice is: it proposes changes, each with the experiment that shows what the change would gain. */
import type { Position } from '../analyze/places';
import type { Change } from '../experiments/changes';
import type { ArgumentEdit } from './edits';
import type { Subject } from './subject';

/** One change to one line. */
export interface Proposal extends Position {
  /** What is wrong there, with numbers of this profile. */
  reason: string;
  /** What the experiment changes. */
  changes: Change[];
  /** Where there are several ways to do what the rule says: which. Those of one way are made together. Absent: there is one. */
  way?: string;
  /** The argument that does it, where one does. */
  edit?: ArgumentEdit;
}

export interface AdviceRule {
  name: string;
  /** What to do, in the imperative. */
  title: string;
  /** How it is written in NKI. */
  sketch: string;
  /** What was tried in the model, shown where the gain is explained. */
  tried: string;
  /** Where AWS says so. */
  source: string;
  propose(subject: Subject): Proposal[];
}
