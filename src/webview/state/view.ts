/** What actions and panels share: the store, the profile's model, the rows, the size of the drawing area, and the way to the host. */

import type { Viewport } from '../../simulator/profile/windowMarks';
import type { EventMask } from '../data/eventMask';
import type { Model } from '../data/model';
import type { TimeSpan } from '../math/timeSpan';
import type { SourcePosition, StackedName } from '../protocol/messages';
import type { Stack } from '../stack/profiles';
import type { Colouring } from '../tracks/colouring';
import type { Hit } from '../tracks/hit';
import type { Layout, Row } from '../tracks/layout';
import type { Walk } from './dependencies';
import type { Store } from './store';
import type { ValuesHost } from './values';
import type { State } from './viewState';

export interface View {
  readonly store: Store<State>;
  /** What is shown, top to bottom; empty until a profile is there. */
  stack: Stack;
  /** Of the page's own profile; null until it is there. */
  readonly model: Model | null;
  /** The whole time there is to see. */
  limits: TimeSpan;
  layout: Layout;
  readonly colouring: Colouring | null;
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
  setStack(stack: Stack): void;
  /** Tells the host what is stacked. */
  tellStacked(profiles: StackedName[]): void;
  /** Moves the span at once, or in a short animation. */
  moveTo(span: TimeSpan, animated: boolean): void;
  /** The span that a running animation will end at, else the present one. */
  target(): TimeSpan;
  /** The visible time of a row: each profile's rows have a time of their own. */
  viewport(row: Pick<Row, 'profile'>): Viewport;
  readonly values: ValuesHost;
  /** `focus`: the editor gets the keyboard. */
  openSource(position: SourcePosition, focus: boolean): void;
  /** Lets the user keep a text as a file. */
  saveText(name: string, text: string): void;
  /** Says it to a screen reader. */
  announce(text: string): void;
  focusSearch(): void;
}

/** A piece of the page. `draw` runs in the animation frame, with what changed since the last one. */
export interface Panel {
  element: HTMLElement;
  draw(changed: Changes): void;
}

export type Change = keyof State | 'model' | 'stack' | 'size' | 'theme';
export type Changes = ReadonlySet<Change>;

export const changedAny = (changed: Changes, keys: readonly Change[]) => keys.some(key => changed.has(key));
