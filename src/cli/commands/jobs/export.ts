import type { Command } from 'commander';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { filterOf, filterOptions, type FilterFlags } from './filter.ts';
import { option } from '../../options.ts';
import { writeDownload } from '../../download.ts';

const FORMATS = ['csv', 'json', 'ndjson'] as const;

/** `jobs export`: all jobs that match, newest first, to a file or to standard output. */
export function exportCommand(group: Command, io: ProcessIo): void {
  const command = apiCommand(
    group,
    io,
    'export',
    'export all matching jobs, newest first, as CSV, JSON or JSON lines',
    async (session, flags: FilterFlags & { snapshot?: string; format?: (typeof FORMATS)[number]; output?: string }) => {
      const { output, snapshot } = flags;
      const filter = filterOf(flags);
      if (snapshot !== undefined && Object.keys(filter).length > 0)
        throw new Fault('USAGE', 'specify --snapshot or a filter, not both');
      const format = flags.format ?? FORMATS.find((one) => output?.endsWith(`.${one}`)) ?? 'json';
      if (session.json && output === undefined && format === 'csv')
        throw new Fault('USAGE', '--json does not work with CSV: remove --json, or write to a file with --output');
      const answer = await session.api.open('jobs.export', {
        query: { format, ...filter, ...(snapshot === undefined ? {} : { snapshot }) },
      });
      await writeDownload(session, answer, format, output);
    },
  );
  filterOptions(command, io);
  option(command, io, '--snapshot <id>', 'the jobs that a dry run of kill, retry or rerun counted');
  option(command, io, '--format <format>', 'default: by the file name, else json', { choices: FORMATS });
  option(command, io, '--output <file>', 'write to a file (default: standard output)');
}
