const DAY = 86_400_000;

/** The week (from Monday), month or year in UTC that an instant is in. Unix ms; `high` is the start of the next. */
export function calendarBucket(ms: number, step: string): { low: number; high: number } {
  if (step === 'week') {
    // The epoch was a Thursday.
    const low = Math.floor((ms + 3 * DAY) / (7 * DAY)) * 7 * DAY - 3 * DAY;
    return { low, high: low + 7 * DAY };
  }
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  if (step === 'month')
    return { low: Date.UTC(year, date.getUTCMonth()), high: Date.UTC(year, date.getUTCMonth() + 1) };
  return { low: Date.UTC(year, 0), high: Date.UTC(year + 1, 0) };
}
