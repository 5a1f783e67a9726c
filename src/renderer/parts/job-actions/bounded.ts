export interface BoundedReport<T, R> {
  readonly done: readonly { readonly item: T; readonly result: R }[];
  readonly failed: readonly { readonly item: T; readonly error: unknown }[];
}

/**
 * Runs `run` for each item, at most `concurrency` at once, and reports what came of each, in the order of the items.
 * One that fails stops none of the others.
 */
export async function runBounded<T, R>(items: readonly T[], run: (item: T) => Promise<R>, concurrency: number, onProgress?: (finished: number) => void): Promise<BoundedReport<T, R>> {
  const outcomes = new Map<T, { result: R } | { error: unknown }>();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const item = items[next++] as T;
      try {
        outcomes.set(item, { result: await run(item) });
      } catch (error) {
        outcomes.set(item, { error });
      }
      onProgress?.(outcomes.size);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
  const done: { item: T; result: R }[] = [];
  const failed: { item: T; error: unknown }[] = [];
  for (const item of items) {
    const outcome = outcomes.get(item);
    if (outcome === undefined) continue;
    if ('result' in outcome) done.push({ item, result: outcome.result });
    else failed.push({ item, error: outcome.error });
  }
  return { done, failed };
}
