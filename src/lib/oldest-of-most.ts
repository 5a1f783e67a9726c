/**
 * Who gives way where there is no more room: the oldest entry of whoever has the most. So nobody who fills a table takes the
 * places of others. The map is in the order of age.
 */
export function oldestOfMost<K, V>(entries: ReadonlyMap<K, V>, whose: (value: V) => string): K | undefined {
  const counts = new Map<string, { first: K; count: number }>();
  for (const [key, value] of entries) {
    const known = counts.get(whose(value));
    if (known) known.count++;
    else counts.set(whose(value), { first: key, count: 1 });
  }
  let most: { first: K; count: number } | undefined;
  for (const one of counts.values()) if (most === undefined || one.count > most.count) most = one;
  return most?.first;
}
