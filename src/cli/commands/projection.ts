import type { Command } from 'commander';
import type { Cluster } from '../../contract/cluster.ts';
import { shortMasterId } from '../../lib/cluster.ts';
import { Fault } from '../../lib/fault.ts';
import { apiCommand } from '../api-command.ts';
import { option } from '../options.ts';
import type { ProcessIo } from '../process-io.ts';
import { duration, namedValues } from '../text-table.ts';

/** `yardmaster projection …`: the tables for SQL that masters keep up in PostgreSQL (docs/sql.md). */
export function projectionCommands(root: Command, io: ProcessIo): void {
  const group = root.command('projection').description('the tables for SQL in PostgreSQL');
  apiCommand(
    group,
    io,
    'status',
    'show who writes them, and how far they are behind (default)',
    async (session) => {
      const { projection } = await session.api.call('cluster.get');
      session.show(projection ?? null, () => projectionLines(projection));
    },
    { isDefault: true },
  );
  apiCommand(group, io, 'rebuild', 'write them anew, from a snapshot and the journal', async (session) => {
    await session.api.call('cluster.rebuildProjection');
    session.show({}, () => ['The tables are written anew; `yardmaster projection` says when they are complete.']);
  });
  const drop = apiCommand(
    group,
    io,
    'drop',
    'drop them, once no master has --projection any more',
    async (session, { yes }: { yes?: boolean }) => {
      if (!yes) throw new Fault('USAGE', 'this drops the schema yardmaster_sql, and what depends on it: add --yes');
      await session.api.call('cluster.dropProjection');
      session.show({}, () => ['The schema yardmaster_sql is dropped.']);
    },
  );
  option(drop, io, '--yes', 'really do it');
}

function projectionLines(projection: Cluster['projection']): string[] {
  if (projection === undefined)
    return ['No tables for SQL: start masters that share PostgreSQL with --projection to get them.'];
  const { master, seq, complete, lagMs, extras, writtenAt, trouble } = projection;
  return namedValues({
    'written by': master === null ? 'none' : shortMasterId(master),
    seq,
    complete: complete ? 'yes' : 'no: everything is being written',
    lag: duration(lagMs),
    extras: extras.length === 0 ? 'none' : extras.join(', '),
    'last write': writtenAt,
    trouble,
  });
}
