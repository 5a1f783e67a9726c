import { isRawNumber } from '../../../lib/json.ts';

/** Whether two JSON values say the same, whatever the order of their keys. `undefined`: there is none. */
export const isJsonEqual = (a: unknown, b: unknown): boolean => a === b || canonicalText(a) === canonicalText(b);

/** A text that two values share exactly where they are the same. */
export function canonicalText(value: unknown): string {
  if (value === undefined) return '';
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const record: Record<string, unknown> = { ...value };
  return `{${Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(record[key])}`)
    .join(',')}}`;
}
