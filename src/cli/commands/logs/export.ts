import type { Command } from 'commander';
import { LOG_FORMATS } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { filterOptions, filters, type FilterFlags } from './filter.ts';
import { integer, option } from '../../options.ts';
import { writeDownload } from '../../download.ts';

/** `logs export`: all records that match, to a file or to standard output. */
export function exportLogsCommand(group: Command, io: ProcessIo): void {
  const command = apiCommand<
    FilterFlags & { format?: string; output?: string; order: string; limit?: number; column?: string }
  >(group, io, 'export [query]', 'all records that match as JSON lines, CSV or text', async (session, flags, query) => {
    const { output } = flags;
    const ending = /\.(ndjson|csv|log|txt)$/.exec(output ?? '')?.[1];
    const format =
      flags.format ?? (ending === 'csv' ? 'csv' : ending === 'log' || ending === 'txt' ? 'text' : 'ndjson');
    if (session.json && output === undefined && format !== 'ndjson')
      throw new Fault('USAGE', `${format} is no JSON: leave --json out, or name a file with --output`);
    const column = flags.column
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const answer = await session.api.request('GET', '/api/v1/logs/export', {
      query: { format, order: flags.order, limit: flags.limit, column, ...filters(flags, query) },
    });
    await writeDownload(session, answer, format, output);
  });
  filterOptions(command, io);
  option(command, io, '--format <format>', 'default: by the name of the file, else ndjson', { choices: LOG_FORMATS });
  option(command, io, '--order <order>', 'which records come first', { choices: ['asc', 'desc'], fallback: 'asc' });
  option(command, io, '--limit <n>', 'records at most (default: all)', { parse: integer(1, 1_000_000_000) });
  option(
    command,
    io,
    '--column <names>',
    'fields that the CSV has as columns, or that a JSON line has, with commas between',
  );
  option(command, io, '--output <file>', 'write to a file (default: standard output)');
}
