/**
 * Records the values of a state that are read while a part of the page is made. A later check shows if one of them has changed, so no
 * list of dependences is written by hand.
 */
import type { Selector } from './selector';

/** Makes a part again if a value that it read has changed, or if `must` is true. @returns whether it was made */
export type Drawing = (must?: boolean) => boolean;

export class Tracker<S extends object> {
  /** The current state; reads of its fields are recorded. */
  readonly state: Readonly<S>;
  private notes: Map<Selector<S, unknown>, unknown> | null = null;

  constructor(private readonly current: () => Readonly<S>) {
    const noted = (key: keyof S) => {
      const select = (state: S) => state[key];
      return { enumerable: true, get: () => this.read(select) };
    };
    const keys = Object.keys(current()) as (keyof S)[];
    this.state = Object.defineProperties({}, Object.fromEntries(keys.map(key => [key, noted(key)]))) as S;
  }

  /** The value of a selector; its result is recorded, not its inputs. */
  read<T>(select: Selector<S, T>): T {
    const value = select(this.current());
    this.notes?.set(select, value);
    return value;
  }

  /** Nested parts have separate records. */
  during(make: () => void): Reads<S> {
    const outer = this.notes;
    const notes = new Map<Selector<S, unknown>, unknown>();
    this.notes = notes;
    try {
      make();
    } finally {
      this.notes = outer;
    }
    return new Reads(notes, this.current);
  }

  drawing(make: () => void): Drawing {
    let reads: Reads<S> | null = null;
    return (must = false) => {
      if (!must && reads && !reads.changed()) return false;
      reads = this.during(make);
      return true;
    };
  }
}

/** The recorded reads, with their values. */
export class Reads<S> {
  constructor(
    private readonly notes: Map<Selector<S, unknown>, unknown>,
    private readonly current: () => Readonly<S>,
  ) {}

  /** Whether one of them has changed since the last check. */
  changed(): boolean {
    const state = this.current();
    let changed = false;
    for (const [select, before] of this.notes) {
      const now = select(state as S);
      if (Object.is(now, before)) continue;
      this.notes.set(select, now);
      changed = true;
    }
    return changed;
  }
}
