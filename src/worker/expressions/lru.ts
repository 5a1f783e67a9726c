/** Remembers what `make` returned for the keys that were used last, `most` of them. */
export function lru<T>(most: number, make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      for (const oldest of known.keys()) {
        if (known.size < most) break;
        known.delete(oldest);
      }
    } else known.delete(key);
    known.set(key, value);
    return value;
  };
}
