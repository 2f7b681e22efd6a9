/** Values made once per index; forgets all when there are too many, so that memory stays bounded. */
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
