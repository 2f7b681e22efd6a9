/** A cache of values by index. It is cleared when it has too many entries, so that memory stays bounded. */
const MOST = 1 << 14;

export function remembered<T>(make: (index: number) => T): (index: number) => T {
  const known = new Map<number, T>();
  return index => {
    let value = known.get(index);
    if (value === undefined) {
      if (known.size >= MOST) known.clear();
      value = make(index);
      known.set(index, value);
    }
    return value;
  };
}
