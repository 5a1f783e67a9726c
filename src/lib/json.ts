/**
 * JSON that keeps every number as it came. A token that a double cannot hold (an integer beyond 2^53, a long fraction)
 * becomes a raw JSON value that `JSON.stringify` writes back to the letter; all other values are plain.
 */

// Only a text with a run of 16 digits or an exponent can hold a number that a double would change.
const suspicious = /\d{16}|\d[eE][+-]?\d|\d\.\d{15}|\d{15}\.\d/;

interface RawJson {
  readonly rawJSON: string;
}
const lossless = JSON as unknown as {
  rawJSON(token: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
};

/** Parses JSON text. Throws `SyntaxError` where it is none. */
export function parseJson(text: string): unknown {
  if (!suspicious.test(text)) return JSON.parse(text);
  return lossless.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !survives(value, source) ? lossless.rawJSON(source) : value,
  );
}

/** True for a number that `parseJson` kept as its raw token. */
export const isRawNumber = (value: unknown): value is RawJson => lossless.isRawJSON(value);

/** The same value with plain, possibly rounded, numbers: for code that computes with them. */
export function withPlainNumbers(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (lossless.isRawJSON(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPlainNumbers(inner)]));
}

function survives(value: number, source: string): boolean {
  if (Number.isSafeInteger(value) && /^-?\d+$/.test(source)) return !Object.is(value, -0);
  return canonical(String(value)) === canonical(source);
}

/** Sign, significant digits and exponent of a decimal number, so that 1.50, 15e-1 and 1.5 are one. */
function canonical(token: string): string {
  const [, sign = '', int = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = (int + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return `${sign}0`;
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`;
}
