/**
 * The item at an index that the list is known to have; throws where it has not.
 * Not for the loops that read each byte, line or point: there both this call and a default (`values[i] ?? 0`) cost time.
 */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`item ${index} not found in a list of ${list.length}`);
  return item;
}

/** The value of a key that the map is known to have; throws where it has not. */
export function valueAt<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`the map of ${map.size} has no ${String(key)}`);
  return value;
}
