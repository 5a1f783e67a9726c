/** Seconds from a `Retry-After` header (RFC 9110 §10.2.3): a number of seconds, or an HTTP date; 0 where that is past. Undefined where it is neither. */
export function retryAfterSeconds(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header)
    ? Number(header)
    : Math.max(0, Math.ceil((Date.parse(header) - now) / 1000));
  return Number.isFinite(seconds) ? seconds : undefined;
}
