import type { Command } from 'commander';
import { LOG_FORMATS, type LogFormat } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { filterOptions, filters, type FilterFlags } from './filter.ts';
import { integer, option } from '../../options.ts';
import { writeDownload } from '../../download.ts';

/** `logs export`: all records that match, to a file or to standard output. */
export function exportLogsCommand(group: Command, io: ProcessIo): void {
  const command = apiCommand(
    group,
    io,
    'export [query]',
    'export all matching records as JSON lines, CSV or text',
    async (
      session,
      flags: FilterFlags & {
        format?: LogFormat;
        output?: string;
        order: 'asc' | 'desc';
        limit?: number;
        column?: string;
      },
      query,
    ) => {
      const { output } = flags;
      const ending = /\.(ndjson|csv|log|txt)$/.exec(output ?? '')?.[1];
      const format =
        flags.format ?? (ending === 'csv' ? 'csv' : ending === 'log' || ending === 'txt' ? 'text' : 'ndjson');
      if (session.json && output === undefined && format !== 'ndjson')
        throw new Fault(
          'USAGE',
          `--json does not work with ${format}: remove --json, or write to a file with --output`,
        );
      const column = flags.column
        ?.split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      const answer = await session.api.open('logs.export', {
        query: { format, order: flags.order, limit: flags.limit, column, ...filters(flags, query) },
      });
      await writeDownload(session, answer, format, output);
    },
  );
  filterOptions(command, io);
  option(command, io, '--format <format>', 'default: by the file name, else ndjson', { choices: LOG_FORMATS });
  option(command, io, '--order <order>', 'sort order', { choices: ['asc', 'desc'], fallback: 'asc' });
  option(command, io, '--limit <n>', 'max. records (default: all)', { parse: integer(1, 1_000_000_000) });
  option(command, io, '--column <names>', 'comma-separated fields: columns of the CSV, or members of each JSON line');
  option(command, io, '--output <file>', 'write to a file (default: standard output)');
}
