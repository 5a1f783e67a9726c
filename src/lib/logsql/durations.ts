/** Nanoseconds of each unit of a duration. */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
  y: 31_536_000_000_000_000n,
};
const PART = /(\d{1,18})(?:\.(\d{1,18})\d*)?(ns|us|µs|μs|ms|s|m|h|d|w|y)/y;

/** Nanoseconds of a duration such as `5m`, `1h30m`, `1.5s`, `-2d`; null where the text is none. */
export function durationOf(text: string): bigint | null {
  const negative = text.startsWith('-');
  let at = negative || text.startsWith('+') ? 1 : 0;
  if (at === text.length) return null;
  let sum = 0n;
  while (at < text.length) {
    PART.lastIndex = at;
    const match = PART.exec(text);
    if (match === null) return null;
    const [all, whole = '', fraction, unit = ''] = match;
    const size = UNITS[unit] ?? 0n;
    sum += BigInt(whole) * size;
    if (fraction !== undefined) sum += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    at += all.length;
  }
  return negative ? -sum : sum;
}
