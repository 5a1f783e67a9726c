/**
 * Runs of digits as numbers that give them back, leading zeros and all: first come the ten runs of one digit, then the
 * hundred of two, and so on up to nine digits.
 */
export const MAX_DIGITS = 9;
/** The number of the run of so many zeros. */
export const FIRST = Int32Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => (10 ** digits - 10) / 9);
FIRST[0] = 0;
/** How many digits the run of a number has. */
export function digitsOf(number: number): number {
  if (number < 1110) return number < 110 ? (number < 10 ? 1 : 2) : 3;
  if (number < 1_111_110) return number < 111_110 ? (number < 11_110 ? 4 : 5) : 6;
  return number < 111_111_110 ? (number < 11_111_110 ? 7 : 8) : 9;
}

export function runOf(number: number): string {
  if (number < 10) return String(number);
  const digits = digitsOf(number);
  const value = number - (FIRST[digits] ?? 0);
  const text = String(value);
  return text.length === digits ? text : text.padStart(digits, '0');
}

/** The number of a run of one to nine digits. */
export const numberOfRun = (run: string): number => (FIRST[run.length] ?? 0) + Number(run);
