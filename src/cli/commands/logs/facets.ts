import type { Command } from 'commander';
import type { LogValues } from '../../../contract/logs.ts';
import { formatLogRecord } from '../../../lib/log-line.ts';
import { apiCommand } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { filterOptions, filters, scopeOptions, type FilterFlags } from './filter.ts';
import { integer, option, time } from '../../options.ts';
import { table } from '../../text-table.ts';

/** What stands around a record, and what there is to ask for: `logs context|fields|values|hits`. */
export function facetCommands(group: Command, io: ProcessIo): void {
  const context = apiCommand(
    group,
    io,
    'context <time> [query]',
    'show the records before and after the _time of a record',
    async (session, flags: FilterFlags & { before?: number; after?: number }, when, query) => {
      // The time of a record may be finer than milliseconds: it stays as it was given.
      const at = /^\d+[smhd]$/.test(when) ? time(when) : when;
      const found = await session.api.call('logs.context', {
        query: { at, before: flags.before, after: flags.after, ...filters(flags, query) },
      });
      session.show(found, () => [
        ...found.before.map((record) => `  ${formatLogRecord(record)}`),
        ...found.after.map((record) => `${record._time === at ? '>' : ' '} ${formatLogRecord(record)}`),
      ]);
    },
  );
  scopeOptions(context, io);
  option(context, io, '--before <n>', 'number of records before, 0 to 1000', { parse: integer(0, 1000) });
  option(context, io, '--after <n>', 'number of records after, 0 to 1000', { parse: integer(0, 1000) });

  const fields = apiCommand(
    group,
    io,
    'fields [query]',
    'list the fields of matching records, with counts',
    async (session, flags: FilterFlags & ListFlags, query) => {
      const found = await session.api.call('logs.fields', { query: { ...listOf(flags), ...filters(flags, query) } });
      session.show(found, () => rows('FIELD', found));
    },
  );
  const values = apiCommand(
    group,
    io,
    'values <field> [query]',
    'list the values of a field in matching records, with counts',
    async (session, flags: FilterFlags & ListFlags, field, query) => {
      const found = await session.api.call('logs.values', {
        query: { field, ...listOf(flags), ...filters(flags, query) },
      });
      session.show(found, () => rows('VALUE', found));
    },
  );
  for (const command of [fields, values]) {
    filterOptions(command, io);
    option(command, io, '--contains <text>', 'only values containing this text');
    option(command, io, '--limit <n>', 'max. number, 1 to 1000', { parse: integer(1, 1000) });
  }

  const hits = apiCommand(
    group,
    io,
    'hits [query]',
    'count matching records over time',
    async (session, flags: FilterFlags & { step?: string; field?: string }, query) => {
      const found = await session.api.call('logs.hits', {
        query: { step: flags.step, field: flags.field, ...filters(flags, query) },
      });
      session.show(found, () =>
        found.hits.flatMap(({ fields: of, timestamps, values: counts }) =>
          timestamps.flatMap((at, i) =>
            (counts[i] ?? 0) > 0 ? [[at, ...Object.values(of), String(counts[i])].join('  ')] : [],
          ),
        ),
      );
    },
  );
  filterOptions(hits, io);
  option(hits, io, '--step <step>', 'bucket size, such as 30s, 5m, 1h');
  option(hits, io, '--field <name>', 'group by the values of this field');
}

interface ListFlags {
  contains?: string;
  limit?: number;
}
const listOf = ({ contains, limit }: ListFlags) => ({ contains, limit });

const rows = (title: string, { values, complete }: LogValues): string[] => [
  ...table(
    [title, 'COUNT'],
    values.map(({ value, count }) => [value === '' ? '(none)' : value, count]),
    'no matching records',
  ),
  ...(complete ? [] : ['more results exist']),
];
