/** The smallest value that so large a share of the values, given in order, does not exceed; null: there are none. */
export const percentile = (sorted: ArrayLike<number>, share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
