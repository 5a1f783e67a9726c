import { isRecord } from '../../lib/is-record.ts';
import type { Attributes, LogRecord } from './port.ts';

/** What the log store adds to a line for itself, and what has a place of its own in OTLP. */
const OWN = new Set(['_time', '_msg', '_stream', '_stream_id', 'level', 'trace_id', 'span_id']);
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/**
 * Log lines as they are exported, given a JSON array of them as the log store writes it. Those that this master exported
 * before are left out: they came back by another receiver, and would go round without end.
 *
 * @param resource what this master calls itself where it exports
 */
export function* logRecordsOf(text: string, resource: Attributes): Generator<LogRecord> {
  const lines: unknown = JSON.parse(text);
  if (!Array.isArray(lines)) return;
  for (const line of lines)
    if (isRecord(line) && !IDENTITY.every((name) => line[name] === String(resource[name]))) yield logRecordOf(line);
}
const IDENTITY = ['service.name', 'service.instance.id'] as const;

function logRecordOf(line: Readonly<Record<string, unknown>>): LogRecord {
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(line)) if (!OWN.has(name)) attributes[name] = textOf(value);
  return {
    time: nanosOf(textOf(line['_time'])),
    body: textOf(line['_msg']),
    level: textOf(line['level']),
    traceId: idOf(line['trace_id'], 32),
    spanId: idOf(line['span_id'], 16),
    attributes,
  };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** An ID of so many hexadecimal digits; null: it is none. */
const idOf = (value: unknown, digits: number): string | null =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value) && !/^0+$/.test(value)
    ? value
    : null;

/** Unix nanoseconds; 0: no time that can be read. */
function nanosOf(time: string): bigint {
  const [, seconds, fraction = ''] = TIME.exec(time) ?? [];
  return seconds === undefined ? 0n : BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
