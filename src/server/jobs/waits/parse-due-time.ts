const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;
const MILLISECONDS = /^\d{12,14}$/;

/** Milliseconds since 1970 of an ISO 8601 time with its zone, a date (its midnight in UTC), or a number of milliseconds; null: it is none. */
export function parseDueTime(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (MILLISECONDS.test(text)) return Number(text);
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
