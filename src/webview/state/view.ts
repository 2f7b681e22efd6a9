/** What actions and panels share: the store, the profile's model, the rows, the size of the drawing area, and the way to the host. */

import type { Viewport } from '../../simulator/profile/windowMarks';
import type { EventMask } from '../data/eventMask';
import type { Model } from '../data/model';
import type { TimeSpan } from '../math/timeSpan';
import type { SourcePosition } from '../protocol/messages';
import type { Colouring } from '../tracks/colouring';
import type { Hit } from '../tracks/hit';
import type { Layout, Row } from '../tracks/layout';
import type { Walk } from './dependencies';
import type { Store } from './store';
import type { ValuesHost } from './values';
import type { State } from './viewState';

export interface View {
  readonly store: Store<State>;
  /** null until a profile is there. */
  model: Model | null;
  /** The profile compared with; its rows stand below. */
  other: OtherProfile | null;
  /** The whole time there is to see. */
  limits: TimeSpan;
  layout: Layout;
  colouring: Colouring | null;
  /** The set that search or the editor marked. */
  mask: EventMask | null;
  /** Along dependences, by keys. */
  walk: Walk | null;
  /** What is under the pointer, as of the last frame. */
  hit: Hit | null;
  /** Brings `hit` up to date, for a click that comes before the next frame. */
  refreshHit(): void;
  /** Of the tracks' drawing area. */
  widthPx: number;
  heightPx: number;
  setOther(other: OtherProfile | null): void;
  /** Moves the span at once, or in a short animation. */
  moveTo(span: TimeSpan, animated: boolean): void;
  /** The span that a running animation will end at, else the present one. */
  target(): TimeSpan;
  /** The visible time of a row: another profile's rows have a time of their own. */
  viewport(row: Pick<Row, 'side'>): Viewport;
  readonly values: ValuesHost;
  /** `focus`: the editor gets the keyboard. */
  openSource(position: SourcePosition, focus: boolean): void;
  /** Lets the user keep a text as a file. */
  saveText(name: string, text: string): void;
  /** Says it to a screen reader. */
  announce(text: string): void;
  focusSearch(): void;
}

/** A second profile, its times moved so that both bodies begin together. */
export interface OtherProfile {
  title: string;
  model: Model;
  colouring: Colouring;
  /** Its time less ours. */
  shiftNs: number;
}

/** A piece of the page. `draw` runs in the animation frame, with what changed since the last one. */
export interface Panel {
  element: HTMLElement;
  draw(changed: Changes): void;
}

export type Change = keyof State | 'model' | 'other' | 'size' | 'theme';
export type Changes = ReadonlySet<Change>;

export const changedAny = (changed: Changes, keys: readonly Change[]) => keys.some(key => changed.has(key));
