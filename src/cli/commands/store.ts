import type { Command } from 'commander';
import { Fault } from '../../lib/fault.ts';
import { option } from '../options.ts';
import { loadEntry, type ProcessIo } from '../process-io.ts';
import { pluralize } from '../text-table.ts';

interface Copied {
  clusterId: string;
  schema: number;
  tables: { table: string; rows: number; sha256: string }[];
  secrets: number;
}

/** What the build's entry of the master offers beside the master itself. */
interface Entry {
  copyStoreLocal(
    of: { from: string; to: string; secretsKey: string | null; snapshots: string | null },
    log: (line: string) => void,
  ): Promise<Copied>;
}

/** `yardmaster store copy` (docs/cluster.md). */
export function storeCommands(root: Command, io: ProcessIo): void {
  const copy = root
    .command('store')
    .description('where the state of masters is kept')
    .command('copy')
    .description(
      "copy a stopped master's state from its data folder into PostgreSQL, or back; checked, the source stays",
    );
  option(copy, io, '--from <store>', 'data folder, or postgres://user@host/database (password: PGPASSFILE)');
  option(copy, io, '--to <store>', 'the other: a database that no master has used, or a new or empty folder');
  option(
    copy,
    io,
    '--snapshots <where>',
    'of the masters, where they keep snapshots in a folder or in s3://BUCKET/PREFIX',
  );
  option(copy, io, '--json', 'print only JSON');
  copy.action(
    async ({ from, to, snapshots, json }: { from?: string; to?: string; snapshots?: string; json?: boolean }) => {
      if (from === undefined || to === undefined)
        throw new Fault('USAGE', 'specify both stores: --from STORE --to STORE');
      const entry = await loadEntry<Entry>(io, './data-folder.js');
      const secretsKey = io.env['YARDMASTER_SECRETS_KEY'] || null;
      const copied = await entry.copyStoreLocal(
        { from, to, secretsKey, snapshots: snapshots ?? null },
        json ? () => {} : (line) => io.out(line),
      );
      if (json) return io.out(JSON.stringify(copied));
      const { tables, secrets } = copied;
      const rows = tables.reduce((sum, one) => sum + one.rows, 0);
      const isToFolder = from.startsWith('postgres');
      for (const line of [
        `copied and compared ${pluralize(tables.length, 'table')} with ${pluralize(rows, 'row')}`,
        ...(secrets > 0
          ? [
              `  ${pluralize(secrets, 'secret')}: only the key in YARDMASTER_SECRETS_KEY opens them; give it to every master`,
            ]
          : []),
        '  logs and metrics are not copied: they stay where they are',
        isToFolder
          ? `start it with: yardmaster master --data ${to}`
          : `start masters with --store and new data folders; ${from} stays as it is, and is used no more`,
      ])
        io.out(line);
    },
  );
}
