/**
 * Functions of the language as they were when this module was loaded, called without any look-up in an object that other code of this
 * thread could have changed. They are for code with rights that a kernel must not get. Such code uses no methods, no iteration and no
 * spread syntax.
 */

const { call, bind } = Function.prototype;

/** `uncurried(String.prototype.slice)(text, 1)` is `text.slice(1)` of today. */
const uncurried = bind.bind(call) as <This, Rest extends unknown[], Result>(
  method: (this: This, ...rest: Rest) => Result,
) => (self: This, ...rest: Rest) => Result;

export const slice: (text: string, start: number, end?: number) => string = uncurried(String.prototype.slice);

const getOfMap = uncurried(Map.prototype.get) as (map: ReadonlyMap<unknown, unknown>, key: unknown) => unknown;
export const lookUp = <K, V>(map: ReadonlyMap<K, V>, key: K): V | undefined => getOfMap(map, key) as V | undefined;
export const keep: <K, V>(map: Map<K, V>, key: K, value: V) => void = uncurried(Map.prototype.set) as never;
export const forget: <K>(map: Map<K, unknown>, key: K) => void = uncurried(Map.prototype.delete) as never;
