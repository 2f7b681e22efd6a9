/** A small observable value: one state, changed by patches, and listeners that get each change. No DOM. */

export type Listener<S> = (state: S, changed: ReadonlySet<keyof S>) => void;

export class Store<S extends object> {
  private readonly listeners = new Set<Listener<S>>();

  constructor(private current: S) {}

  get state(): Readonly<S> {
    return this.current;
  }

  /** Does not call listeners if the patch changes nothing. */
  update(patch: Partial<S>): void {
    const changed = new Set<keyof S>();
    for (const key of Object.keys(patch) as (keyof S)[]) if (!Object.is(patch[key], this.current[key])) changed.add(key);
    if (changed.size === 0) return;
    this.current = { ...this.current, ...patch };
    for (const listener of this.listeners) listener(this.current, changed);
  }

  subscribe(listener: Listener<S>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
