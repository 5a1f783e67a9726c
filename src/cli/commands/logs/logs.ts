import type { Command } from 'commander';
import type { LogRecord } from '../../../contract/logs.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import { formatLogRecord } from '../../../lib/log-line.ts';
import { apiCommand } from '../../api-command.ts';
import { deadLettersCommands, pipelineStatusCommand } from './dead-letters.ts';
import type { ProcessIo } from '../../process-io.ts';
import { exportLogsCommand } from './export.ts';
import { facetCommands } from './facets.ts';
import { filterOptions, filters, type FilterFlags } from './filter.ts';
import { integer, option } from '../../options.ts';

/** Of one event; a line is far below it. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** `yardmaster logs …`. */
export function logsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('logs').description('search, follow and export log lines');

  const search = apiCommand(
    group,
    io,
    'search [query]',
    'search with LogsQL; prints the newest lines last',
    async (session, flags: FilterFlags & { limit?: number; order: 'asc' | 'desc'; cursor?: string }, query) => {
      const found = await session.api.call('logs.search', {
        query: { ...filters(flags, query), limit: flags.limit, order: flags.order, cursor: flags.cursor },
      });
      // People read downwards: the newest line stands last, whatever order was asked for.
      session.show(found, () =>
        (flags.order === 'desc' ? found.records.toReversed() : found.records).map(formatLogRecord),
      );
      if (!session.json && found.records.length === 0) io.err('no matching lines');
      if (!session.json && found.nextCursor !== null)
        io.err(`more lines: use --limit, or --cursor ${found.nextCursor}`);
    },
  );
  filterOptions(search, io);
  option(search, io, '--limit <n>', 'max. lines, 1 to 10000', { parse: integer(1, 10_000) });
  option(search, io, '--order <order>', 'sort order', { choices: ['asc', 'desc'], fallback: 'desc' });
  option(search, io, '--cursor <cursor>', 'continue an earlier search');

  const tail = apiCommand(
    group,
    io,
    'tail [query]',
    'follow matching lines until Ctrl-C; with --json one record per line',
    async (session, flags: FilterFlags & { limit?: number }, query) => {
      let left = flags.limit ?? Number.POSITIVE_INFINITY;
      const done = new AbortController();
      const signal = AbortSignal.any([io.stopped, done.signal]);
      try {
        const answer = await session.api.open('logs.tail', {
          query: filters(flags, query),
          headers: { accept: 'text/event-stream' },
          signal,
        });
        // Every answer of this route has one.
        const body = answer.body as ReadableStream<Uint8Array<ArrayBuffer>>;
        // It loads Node's web streams, which no other command needs.
        const { EventSourceParserStream } = await import('eventsource-parser/stream');
        for await (const { data } of body
          .pipeThrough(new TextDecoderStream())
          .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_CHARACTERS }))) {
          for (const record of recordsIn(data)) {
            io.out(session.json ? JSON.stringify(record) : formatLogRecord(record));
            if (--left <= 0) return;
          }
        }
      } catch (error) {
        if (!io.stopped.aborted) throw error;
      } finally {
        done.abort();
      }
      if (!io.stopped.aborted) throw new Fault('MASTER_UNREACHABLE', 'the master closed the stream');
    },
  );
  filterOptions(tail, io);
  option(tail, io, '--limit <n>', 'stop after this number of lines', { parse: integer(1, 1_000_000_000) });

  facetCommands(group, io);
  exportLogsCommand(group, io);
  pipelineStatusCommand(group, io);
  deadLettersCommands(group, io);
}

/** An event carries one record or several. */
function recordsIn(data: string): LogRecord[] {
  const value = parseJson(data);
  if (Array.isArray(value)) return value as LogRecord[];
  return typeof value === 'object' && value !== null && '_msg' in value ? [value as LogRecord] : [];
}
