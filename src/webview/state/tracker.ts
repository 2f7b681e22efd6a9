/**
 * Notes what of a state is read while something is made of it. Whoever made it can ask later whether it would come out
 * differently: no list of what it depends on is kept by hand.
 */
import type { Selector } from './selector';

/** Makes something again when what it read the last time has changed since, or when it must. True: it was made. */
export type Drawing = (must?: boolean) => boolean;

export class Tracker<S extends object> {
  /** The state as it is at the moment; what is read of it is noted. */
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

  /** What a selector gives; noted by its result, not by what that is made of. */
  read<T>(select: Selector<S, T>): T {
    const value = select(this.current());
    this.notes?.set(select, value);
    return value;
  }

  /** One thing inside another has notes of its own. */
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

/** What was read, with the values that it had. */
export class Reads<S> {
  constructor(
    private readonly notes: Map<Selector<S, unknown>, unknown>,
    private readonly current: () => Readonly<S>,
  ) {}

  /** Whether something of it has another value than at the last asking. */
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
