/** What actions and panels share: the store, the profile's model, the rows, the size of the drawing area, and the way to the host. */
import type { EventMask } from '../data/eventMask';
import type { Model } from '../data/model';
import type { TimeSpan } from '../math/timeSpan';
import type { SourcePosition } from '../protocol/messages';
import type { Colouring } from '../tracks/colouring';
import type { Hit } from '../tracks/hit';
import type { Layout } from '../tracks/layout';
import type { Store } from './store';
import type { State } from './viewState';

export interface View {
  readonly store: Store<State>;
  /** null until a profile is there. */
  model: Model | null;
  layout: Layout;
  colouring: Colouring | null;
  /** The set that search or the editor marked. */
  mask: EventMask | null;
  /** What is under the pointer, as of the last frame. */
  hit: Hit | null;
  /** Brings `hit` up to date, for a click that comes before the next frame. */
  refreshHit(): void;
  /** Of the tracks' drawing area. */
  widthPx: number;
  heightPx: number;
  /** Moves the span at once, or in a short animation. */
  moveTo(span: TimeSpan, animated: boolean): void;
  /** The span that a running animation will end at, else the present one. */
  target(): TimeSpan;
  openSource(position: SourcePosition): void;
  /** Says it to a screen reader. */
  announce(text: string): void;
  focusSearch(): void;
}

/** A piece of the page. `draw` runs in the animation frame, with what changed since the last one. */
export interface Panel {
  element: HTMLElement;
  draw(changed: Changes): void;
}

export type Changes = ReadonlySet<keyof State | 'model' | 'size' | 'theme'>;
