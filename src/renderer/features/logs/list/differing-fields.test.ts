import { expect, it } from 'vitest';
import type { LogRecord } from '../../../../contract/logs.ts';
import { differingFields } from './differing-fields.ts';

const record = (fields: Record<string, unknown>) =>
  ({ _time: '2026-01-01T00:00:00Z', _msg: 'said', level: 'INFO', ...fields }) as unknown as LogRecord;

it('names what is other than in the line before', () => {
  const before = record({ order: 1, country: 'DE', source: 'task', labels: { a: 1 } });
  const next = record({ order: 2, country: 'DE', source: 'task', labels: { a: 1 } });
  expect(differingFields(next, before, [])).toBe('order=2');
  expect(differingFields(before, before, [])).toBe('');
});
it('names all of the first line, ids last and by their ends', () => {
  const first = record({ job_id: '01a22199-a4c7-763a-987f-534e9fef217d', source: 'task', order: 1 });
  expect(differingFields(first, undefined, [])).toBe('source=task  order=1  job_id=…ef217d');
});
it('leaves out what stands in a column, and keeps long values short', () => {
  const line = record({ order: 7, note: `a\n${'b'.repeat(100)}`, nothing: null });
  expect(differingFields(line, undefined, ['order'])).toBe(`note=a ${'b'.repeat(38)}…`);
});
it('names four fields at most', () => {
  expect(differingFields(record({ a: 1, b: 2, c: 3, d: 4, e: 5 }), undefined, [])).toBe('a=1  b=2  c=3  d=4');
});
