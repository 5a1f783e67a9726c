/**
 * The item at an index that the list is known to have; throws where it has not. For loops over many elements of typed
 * arrays a default (`values[i] ?? 0`) costs nothing, which a call shared with other kinds of lists would.
 */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`the list of ${list.length} has no item ${index}`);
  return item;
}
