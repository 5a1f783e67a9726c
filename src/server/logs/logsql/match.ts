import { isRawNumber, parseJson } from '../../../lib/json.ts';
import type { StoredRecord } from '../record.ts';
import type { Filter } from './ast.ts';

const WORD = /[\p{L}\p{N}_]/u;
const isWord = (c: string | undefined): boolean => c !== undefined && c !== '' && WORD.test(c);

/** True where the record passes the filter. The fields of a record are looked at only where a filter names them. */
export function matches(filter: Filter, record: StoredRecord, fields = fieldsOf(record)): boolean {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'and':
      return filter.parts.every((part) => matches(part, record, fields));
    case 'or':
      return filter.parts.some((part) => matches(part, record, fields));
    case 'not':
      return !matches(filter.part, record, fields);
    case 'time':
      return record.time >= filter.from && record.time < filter.to;
    case 'phrase':
      return hasPhrase(fields(filter.field), filter.text, filter.prefix);
    case 'exact':
      return filter.prefix ? fields(filter.field).startsWith(filter.text) : fields(filter.field) === filter.text;
    case 'in':
      return filter.values.includes(fields(filter.field));
    case 'present':
      return fields(filter.field) !== '';
    case 'compare':
      return compares(fields(filter.field), filter.op, filter.bound);
  }
}

/** The text as it stands, not inside of longer words: an end that is a word character must not touch another one. */
export function hasPhrase(value: string, text: string, prefix: boolean): boolean {
  if (text === '') return prefix ? value !== '' : value === '';
  const left = isWord(firstChar(text));
  const right = !prefix && isWord(lastChar(text));
  for (let at = value.indexOf(text); at >= 0; at = value.indexOf(text, at + 1)) {
    if (left && isWord(lastChar(value.slice(Math.max(0, at - 2), at)))) continue;
    if (right && isWord(firstChar(value.slice(at + text.length, at + text.length + 2)))) continue;
    return true;
  }
  return false;
}

const firstChar = (text: string): string | undefined => (text === '' ? undefined : String.fromCodePoint(text.codePointAt(0) as number));
const lastChar = (text: string): string | undefined => [...text.slice(-2)].at(-1);

function compares(value: string, op: '<' | '<=' | '>' | '>=', bound: string): boolean {
  const limit = Number(bound);
  if (bound.trim() !== '' && !Number.isNaN(limit)) {
    const number = Number(value);
    if (value.trim() === '' || Number.isNaN(number)) return false;
    return op === '<' ? number < limit : op === '<=' ? number <= limit : op === '>' ? number > limit : number >= limit;
  }
  return op === '<' ? value < bound : op === '<=' ? value <= bound : op === '>' ? value > bound : value >= bound;
}

/** Field name → value as text; missing is empty. A dot leads into nested objects. Custom fields are parsed once, if at all. */
export function fieldsOf(record: StoredRecord): (name: string) => string {
  let custom: Record<string, unknown> | undefined;
  return (name) => {
    if (name === '_msg') return record.msg;
    if (name === 'level' || name === 'job_id' || name === 'task_id' || name === 'worker_id' || name === 'source') return record[name] ?? '';
    if (record.fields === null) return '';
    custom ??= parseJson(record.fields) as Record<string, unknown>;
    return asText(Object.hasOwn(custom, name) ? custom[name] : name.split('.').reduce<unknown>(inside, custom));
  };
}

const inside = (value: unknown, key: string): unknown => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined);
const asText = (value: unknown): string => (value === undefined || value === null ? '' : typeof value === 'string' ? value : isRawNumber(value) ? value.rawJSON : JSON.stringify(value));
