import { isRawNumber } from '../../../lib/json.ts';

/** Whether two JSON values say the same, whatever the order of their keys. `undefined`: there is none. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || textOf(a) === textOf(b);

/** A text that two values share exactly where they are the same. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  const record = value as Record<string, unknown>;
  return `{${Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${textOf(record[key])}`)
    .join(',')}}`;
}
