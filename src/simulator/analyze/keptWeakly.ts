/**
 * Results that several analyses of one profile read, computed once while something reads them. They are large columns, so they are not
 * held: once nobody refers to a result, the garbage collector may take it, and the next reader has it computed again.
 */

/** The same function; its results must not be changed by their readers. */
export function keptWeakly<P extends object, R extends object>(make: (of: P) => R): (of: P) => R {
  const known = new WeakMap<P, WeakRef<R>>();
  return of => {
    const kept = known.get(of)?.deref();
    if (kept) return kept;
    const made = make(of);
    known.set(of, new WeakRef(made));
    return made;
  };
}
