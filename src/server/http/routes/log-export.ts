import type { LogRecord } from '../../../contract/logs.ts';
import { LOG_CSV_COLUMNS, type LogFormat } from '../../../contract/vocabulary.ts';
import { csvField } from '../../../lib/csv.ts';
import { Fault } from '../../../lib/fault.ts';
import { fieldText, formatLogRecord } from '../../../lib/log-line.ts';
import type { LogFilter } from '../../logs/port.ts';
import { logReach } from './log-scope.ts';
import { pipedRows, pipesAt } from './log-pipes.ts';
import { route, type App } from '../core/route.ts';
import { stillAllowed } from '../core/still-allowed.ts';
import { sendFile } from '../core/send-file.ts';

const TYPES: Readonly<Record<LogFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  text: 'text/plain; charset=utf-8',
};
const ENDINGS: Readonly<Record<LogFormat, string>> = { ndjson: 'ndjson', csv: 'csv', text: 'log' };
/** Records, and characters of them, that are made into text in one go: a step of the event loop. */
const STEP = 500;
const STEP_CHARS = 256 * 1024;

/** `GET /api/v1/logs/export`: page after page of one search as a stream that a slow reader slows down. */
export function logExport(app: App): void {
  const { logs, limits, clock } = app.services;
  let running = 0;

  async function* pieces(
    filter: LogFilter,
    format: LogFormat,
    order: 'asc' | 'desc',
    most: number,
    columns: readonly string[] | undefined,
  ): AsyncGenerator<string> {
    if (running >= limits.logExports)
      throw new Fault(
        'OVERLOADED',
        `${limits.logExports} log exports are already running: try again when one has finished`,
      );
    running++;
    try {
      const text = writerOf(format, columns);
      let head = format === 'csv' ? text.head : '';
      if (pipesAt(filter.query) !== null) {
        yield head;
        for await (const rows of pipedRows(logs, filter, most, clock.now()))
          yield rows.map((row) => text.line(row)).join('');
        return;
      }
      let left = most;
      let cursor: string | null = null;
      do {
        const page = await logs.search({
          ...filter,
          limit: Math.min(STEP, left),
          order,
          chars: STEP_CHARS,
          ...(cursor === null ? {} : { cursor }),
        });
        left -= page.records.length;
        cursor = page.nextCursor;
        yield head + page.records.map((record) => text.line(record)).join('');
        head = '';
      } while (cursor !== null && left > 0);
    } finally {
      running--;
    }
  }

  route(app, 'logs.export', async ({ query, identity, request, reply }) => {
    const { reach, mayStill } = await logReach(app, identity, query);
    const isAllowed = stillAllowed(app, identity, request);
    const { format, order = 'asc', limit = Number.POSITIVE_INFINITY, column, ...filter } = query;
    return sendFile(
      { request, reply },
      {
        of: 'logs',
        ending: ENDINGS[format],
        type: TYPES[format],
        now: clock.now(),
        stallSeconds: limits.exportStallSeconds,
      },
      () => pieces({ ...filter, ...reach }, format, order, limit, column),
      () => isAllowed() && mayStill(),
    );
  });
}

/** `columns`: of the CSV, or the members that a JSON line keeps. */
function writerOf(
  format: LogFormat,
  columns: readonly string[] | undefined,
): { head: string; line(record: LogRecord): string } {
  if (format === 'text') return { head: '', line: (record) => `${formatLogRecord(record)}\n` };
  if (format === 'ndjson')
    return {
      head: '',
      line: (record) =>
        `${JSON.stringify(columns === undefined ? record : Object.fromEntries(columns.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]])))}\n`,
    };
  const named = columns ?? LOG_CSV_COLUMNS;
  const known = new Set<string>(named);
  return {
    head: `${named.map(csvField).join(',')}\r\n`,
    line(record) {
      const value = (name: string): unknown => {
        if (name !== 'fields' || Object.hasOwn(record, 'fields'))
          return record[name] === undefined || record[name] === null ? null : fieldText(record[name]);
        const rest = Object.entries(record).filter(([field]) => !known.has(field));
        return rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest));
      };
      return `${named.map((name) => csvField(value(name))).join(',')}\r\n`;
    },
  };
}
