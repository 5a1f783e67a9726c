// Every value of a column that is counted passes here: elements are cast, as the check of a default would cost some percent.

/** As many digits make a whole number that a double holds exactly. */
const EXACT_DIGITS = 15;
const POWERS = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, digits) => 10 ** digits);
const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/**
 * The decimal number that stands in bytes, as most do: without a text made of it. The quotient of two numbers that are exact
 * is rounded as the text's own value is. NaN: it is none, or of another form.
 */
export function decimalIn(bytes: Uint8Array, start: number, end: number): number {
  const first = start < end && bytes[start] === MINUS ? start + 1 : start;
  let value = 0;
  let at = first;
  // Below zero a difference is a large number.
  for (let digit = 0; at < end && (digit = ((bytes[at] as number) - ZERO) >>> 0) < 10; at++) value = value * 10 + digit;
  let digits = at - first;
  if (digits === 0) return Number.NaN;
  if (at < end) {
    if (bytes[at] !== POINT || at + 1 === end) return Number.NaN;
    const point = at++;
    for (let digit = 0; at < end && (digit = ((bytes[at] as number) - ZERO) >>> 0) < 10; at++)
      value = value * 10 + digit;
    if (at < end || (digits = at - first - 1) > EXACT_DIGITS) return Number.NaN;
    value /= POWERS[at - point - 1] as number;
  }
  return digits > EXACT_DIGITS ? Number.NaN : first > start ? -value : value;
}
