/** Values that are derived from a state: computed on demand, and again only when an input has changed. */

export type Selector<S, T> = (state: S) => T;

/** Makes selectors of one kind of state. */
export function selectorsOf<S extends object>() {
  /** The value of a key. */
  const key =
    <K extends keyof S>(name: K): Selector<S, S[K]> =>
    state =>
      state[name];

  /**
   * Keeps the last result while all inputs are identical.
   * @param make gets the values of the inputs, and no other part of the state
   */
  function derived<I extends readonly unknown[], T>(
    inputs: { readonly [K in keyof I]: Selector<S, I[K]> },
    make: (...values: I) => T,
  ): Selector<S, T> {
    let known: { values: I; result: T } | null = null;
    return state => {
      const values = inputs.map(input => input(state)) as unknown as I;
      if (!known || !same(known.values, values)) known = { values, result: make(...values) };
      return known.result;
    };
  }

  /** Several keys as one record, the same one while all of them are. */
  const picked = <K extends keyof S>(...names: readonly K[]): Selector<S, Pick<S, K>> =>
    derived(names.map(key), (...values) => Object.fromEntries(names.map((name, i) => [name, values[i]])) as Pick<S, K>);

  /** Returns the previous list if a new one has the same members, for parts of larger lists. */
  function steadyList<T>(select: Selector<S, readonly T[]>): Selector<S, readonly T[]> {
    let known: readonly T[] = [];
    return state => {
      const list = select(state);
      if (!same(known, list)) known = list;
      return known;
    };
  }

  return { key, derived, picked, steadyList };
}

const same = (a: readonly unknown[], b: readonly unknown[]) => a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
