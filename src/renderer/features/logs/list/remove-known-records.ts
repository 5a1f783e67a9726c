import type { LogRecord } from '../../../../contract/logs.ts';

/**
 * Those records that are not among `known`. The same time, message and fields are the same record; as many as are known
 * are taken away, so that a program that writes one line twice is shown twice.
 */
export function removeKnownRecords(records: readonly LogRecord[], known: readonly LogRecord[]): LogRecord[] {
  const counts = new Map<string, number>();
  for (const record of known) {
    const key = identity(record);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return records.filter((record) => {
    const key = identity(record);
    const left = counts.get(key) ?? 0;
    if (left > 0) counts.set(key, left - 1);
    return left === 0;
  });
}

/** Times compare by their moment: `…:00.5Z` and `…:00.500Z` are one. */
const identity = (record: LogRecord): string => {
  const [head = '', fraction = ''] = record._time.replace(/Z$/, '').split('.');
  const fields = Object.entries(record).filter(
    ([field, value]) => field !== '_time' && !field.startsWith('_stream') && value !== undefined,
  );
  return JSON.stringify([head, fraction.replace(/0+$/, ''), fields.sort(([a], [b]) => (a < b ? -1 : 1))]);
};
