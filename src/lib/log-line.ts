import { forTerminal } from './for-terminal.ts';

/** Fields of a log record that every line has a place for, or that say nothing to a reader. */
const STANDARD: ReadonlySet<string> = new Set([
  '_time',
  '_msg',
  'level',
  'job_id',
  'task_id',
  'worker_id',
  'source',
  'workflow_id',
  '_stream',
  '_stream_id',
]);

/** A value of a field as text; numbers keep their digits. */
export const fieldText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** A log record as one text: `time LEVEL message field=value …`. Control characters of a line must not reach a terminal. */
export function formatLogRecord(record: Readonly<Record<string, unknown>>): string {
  const custom = Object.entries(record)
    .filter(([name]) => !STANDARD.has(name))
    .map(([name, value]) => `${name}=${fieldText(value)}`);
  const text = [
    fieldText(record['_time']),
    fieldText(record['level'] ?? '-').padEnd(5),
    fieldText(record['_msg']),
    ...custom,
  ].join(' ');
  return forTerminal(text);
}
