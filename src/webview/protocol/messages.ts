/**
 * Every message between a host (extension or served page) and the timeline. Types only; both sides import this file and
 * nothing of each other. The profile itself crosses as one binary container, never as JSON.
 */

import type { TimelineCommand } from './commands';
import type { ExperimentAnswers, ExperimentAsked } from './experiments';
import type { LinePart } from './linePart';
import type { SourcePosition } from './sourcePosition';

export type { LinePart, SourcePosition };

/** A line of an event that the selected one waits for (`before`), or that waits for it. */
export interface RelatedLine extends SourcePosition {
  kind: 'before' | 'after';
}

export interface ViewState {
  /** Visible span, nanoseconds. */
  startNs: number;
  endNs: number;
  selectedEvent: number | null;
  collapsed: string[];
  scrollTop: number;
  /** Everything else that was set, by name (`state/settings.ts`). The page checks each value when it reads them. */
  settings?: Record<string, unknown>;
}

/** What a view keeps through its page's host (VS Code: over a reload of the window). */
export interface KeptView {
  /** `Opening.id`. */
  id: string;
  state: ViewState | null;
}

export interface Opening {
  /** What the host knows this profile by, the same for a newer run of the same thing. */
  id: string;
  title: string;
  state: ViewState | null;
  canOpenSource: boolean;
  /** There is somebody to carry out experiments. */
  canExperiment: boolean;
  /** The host runs the kernel again, for advice that takes it. */
  canRunAgain: boolean;
}

/** A container that is decoded (`simulator/columns/container.ts`). */
export interface SentColumns {
  version: number;
  meta: unknown;
  columns: Record<string, Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array>;
}

/** Profiles to stack, in their order from the top. The one that is on top then is what the others are compared with. */
export interface StackEvent<Sent = Uint8Array | SentColumns> {
  above: boolean;
  /** Beside those that are stacked; absent: in their place. */
  adds?: true;
  profiles: {
    /** What the host knows it by. */
    key: string;
    title: string;
    /** As `loadProfile` gives, or decoded already by a host in the same page. */
    bytes: Sent;
    /** That it had before: it comes back to where it stood. */
    letter?: string;
  }[];
}

/** A stacked profile as the view tells of it. */
export interface StackedName {
  key: string;
  letter: string;
  title: string;
  /** The container of one that the host does not have: a file that was dropped on the page. */
  bytes: Uint8Array | null;
}

/** A kernel call of the run that is shown. */
export interface LaunchAsked {
  kernel: string;
  /** Calls of this kernel before it. */
  call: number;
  /** Id of its profile. */
  profile: string;
}

/** Requests that the view makes of its host; each has one reply. */
export interface HostMethods {
  /** Sent once, when the view is loaded. */
  ready(): Opening;
  /** The profile container, or its first part (`profile/parts.ts`). */
  loadProfile(): Uint8Array;
  /**
   * The second part of the profile that was sent last; with a key, of a stacked one. In the order of the profiles: what comes before a newer
   * one is of the one before.
   */
  loadSlices(key: string | null): Uint8Array;
  /** Shows a line in an editor, or in the page's source pane. `focus`: and gives that the keyboard; otherwise the timeline keeps it. */
  openSource(position: SourcePosition, focus: boolean): null;
  /** Opens the profile of one kernel call of a run of several. Rejects with a sentence where it is not at hand. */
  openLaunch(launch: LaunchAsked): null;
  /** Why there can be no values of this profile's instructions, as a sentence; null: there can. */
  valuesObstacle(): string | null;
  /**
   * Runs the kernel again, up to an instruction of its program, and gives the values of its operands (the container of
   * `profile/instructionValues.ts`). Rejects with a sentence. One at a time: a later one stops the one before.
   */
  instructionValues(instruction: number): Uint8Array;
  /** Times the profile again with something changed. Rejects with a sentence. A later one of the same long job (not of `whatIf`) stops the one before. */
  experiment(asked: ExperimentAsked): ExperimentAnswers[keyof ExperimentAnswers];
  /** Lets the user keep a text as a file; false when they changed their mind. */
  saveText(file: { name: string; text: string }): boolean;
  /** Lets the user keep the profile as a file, with these annotations in place of its own; false when they changed their mind. */
  saveProfile(annotations: unknown[]): boolean;
}

/** Milliseconds of each step from asking for a profile to having drawn all of the page. */
export interface LoadingSteps {
  received: number;
  read: number;
  laidOut: number;
  /** The first picture. */
  rows: number;
  /** The second part of a profile that comes in two. */
  slices: number;
  /** Counters, sentence, drawer. */
  panels: number;
}

/** Messages without a reply, view to host. */
export interface HostEvents {
  state: ViewState;
  /** After the first complete drawing of a profile. */
  painted: { events: number; sinceLoadMs: number; stepsMs: LoadingSteps };
  /** Lines of what the selected event depends on, a moment after it was selected; none without one. */
  related: { lines: RelatedLine[] };
  /** Where the selected event comes from, a moment after it was selected by whatever means; null without one. */
  selected: { position: SourcePosition | null };
  failed: { message: string; detail: string };
  /**
   * What stands beside the page's own profile now, in its order: a page that is thrown away asks for nothing of it again.
   * `answers`: keys of what the host has sent, also of what cannot be shown; absent after a change by the user.
   */
  stacked: { profiles: StackedName[]; answers?: string[] };
  /** The values asked for are no longer wanted. */
  stopValues: null;
  /** The timeline of another rank, by its place in `ranks`; all of them above one another in this page. */
  openRank: { at: number };
  stackRanks: null;
  /** The answer to this question is no longer wanted. */
  stopExperiment: { job: ExperimentAsked['job'] };
}

/** Messages without a reply, host to view. */
export interface ViewEvents {
  /** A newer run of the same kernel; without its container, ask for that with loadProfile. */
  profileChanged: { title: string; bytes?: Uint8Array };
  /** Mark and bring into view the events of these lines. */
  selectLines: { positions: SourcePosition[]; zoom: boolean };
  /** Show what a number of the editor came from. */
  showPart: { position: SourcePosition; of: LinePart };
  /** Show these profiles too, above or below the page's own. */
  stack: StackEvent;
  /** Ranks of the run that the page's own profile is one of, in their order: at `own`. Empty: it has no others. */
  ranks: { labels: string[]; own: number };
  /** How much of the profile that was asked for is there; `totalBytes` null while it is not known how much there will be. */
  profileReceived: { receivedBytes: number; totalBytes: number | null };
  /** How far the values are that were asked for; `share` null while it is not known. */
  valuesProgress: { text: string; share: number | null };
  /** How far an experiment is that was asked for, 0..1. */
  experimentProgress: { job: ExperimentAsked['job']; share: number };
  /** Commands of the palette and of key bindings. */
  command: { name: TimelineCommand };
}
