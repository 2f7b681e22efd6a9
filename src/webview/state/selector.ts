/** What is derived from a state: worked out when it is asked for, and again only when one of its inputs is another value. */

export type Selector<S, T> = (state: S) => T;

/** Makes selectors of one kind of state. */
export function selectorsOf<S extends object>() {
  /** The value of a key. */
  const key =
    <K extends keyof S>(name: K): Selector<S, S[K]> =>
    state =>
      state[name];

  /**
   * Keeps the last result for as long as all inputs are the same (identity).
   * @param make gets what the inputs give, and nothing else of the state
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

  /** Gives the list that it gave before while a new one has the same members: for what is cut out of something larger. */
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
