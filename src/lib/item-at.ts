/**
 * The item at an index that the list is known to have; throws where it has not.
 * Not for the loops that read each byte, line or point: there both this call and a default (`values[i] ?? 0`) cost time.
 */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`item ${index} not found in a list of ${list.length}`);
  return item;
}
