/**
 * What actions and panels share: the state and what is derived from it, and the way to the host. It holds nothing itself.
 *
 * Panels read `state` and the derived values, so that each of their drawings is made again when one of those changes. Actions, and
 * drawings that must not depend on what they read, use `store.state`.
 */

import type { Annotation } from '../../simulator/profile/annotations';
import type { Viewport } from '../../simulator/profile/windowMarks';
import type { ExperimentAnswers, ExperimentAsked } from '../protocol/experiments';
import type { HostEvents, LaunchAsked, SourcePosition } from '../protocol/messages';
import type { Selector } from '../state/selector';
import type { Store } from '../state/store';
import type { Drawing, Reads } from '../state/tracker';
import type { State } from '../state/viewState';
import type { TrackRow } from '../tracks/layout';
import type { Derived } from './derived';

/** What the host does for values. */
export interface ValuesHost {
  /** A sentence why there can be none; null: there can. */
  obstacle(): Promise<string | null>;
  of(instruction: number): Promise<Uint8Array>;
  stop(): void;
}

/** What the host does for experiments. */
export interface ExperimentsHost {
  /** Rejects with a sentence. */
  ask(asked: ExperimentAsked): Promise<ExperimentAnswers[keyof ExperimentAnswers]>;
  stop(job: ExperimentAsked['job']): void;
}

/** What only the app can do. */
export interface AppPart {
  readonly values: ValuesHost;
  readonly experimentsHost: ExperimentsHost;
  /** As `HostMethods.loadSlices`. */
  loadSlices(key: string | null): Promise<Uint8Array>;
  /** Tells the host what is stacked. */
  tellStacked(stacked: HostEvents['stacked']): void;
  /** By the place in `State.rankTabs`. */
  openRank(at: number): void;
  stackRanks(): void;
  /** `focus`: the editor gets the keyboard. */
  openSource(position: SourcePosition, focus: boolean): void;
  /** The timeline of a kernel call of this run. */
  openLaunch(launch: LaunchAsked): void;
  /** Lets the user keep a text as a file. */
  saveText(name: string, text: string): void;
  /** Lets the user keep the profile as a file, with these annotations. */
  saveProfile(annotations: Annotation[]): void;
  /** Says it to a screen reader. */
  announce(text: string): void;
  focusSearch(): void;
}

export interface View extends AppPart, Derived {
  readonly store: Store<State>;
  /** The present state; a drawing depends on what it reads of it. */
  readonly state: Readonly<State>;
  /** As one of the derived values: for what one panel alone derives. */
  read<T>(select: Selector<State, T>): T;
  /** Made again when something that it read has changed. */
  drawing(make: () => void): Drawing;
  /** For what decides itself when it is made again. */
  during(make: () => void): Reads<State>;
  /** The visible time of a row: each profile's rows have a time of their own. */
  viewport(row: Pick<TrackRow, 'profile'>): Viewport;
}

/** A piece of the page. `draw` runs in each animation frame, and does only what is due. */
export interface Panel {
  element: HTMLElement;
  draw(): void;
}
