import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { checkBackup, type BackupHeader } from '../../lib/backup-file.ts';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { resolveDataFolder, findLocalMaster } from '../api-client.ts';
import { apiCommand, type CommonFlags, type Session } from '../api-command.ts';
import { loadEntry, type ProcessIo } from '../process-io.ts';
import { option } from '../options.ts';
import { pluralize } from '../text-table.ts';

/** What the build's entry of the master offers beside the master itself. */
interface Entry {
  backupLocal(folder: string, file: string): Promise<BackupHeader>;
  restoreLocal(file: string, folder: string): Promise<BackupHeader>;
  repairLocal(folder: string, from: string | null, accept: boolean): Promise<Repaired>;
}

interface Repaired {
  restored: string[];
  lost: string[];
  kept: string[];
}

/** `yardmaster backup` and `yardmaster restore` (docs/retention-and-backup.md). */
export function backupCommands(root: Command, io: ProcessIo): void {
  apiCommand(
    root,
    io,
    'backup <file>',
    "write a verified backup of the master's state to one file, while it runs or not",
    async (session, flags, file) => {
      const target = file;
      if (existsSync(target)) throw new Fault('FILE_EXISTS', `${target} already exists: choose another file name`);
      const header = isUp(flags, io)
        ? await fetchBackup(session, target)
        : await (await loadEntry<Entry>(io, './data-folder.js')).backupLocal(resolveDataFolder(flags.data, io), target);
      session.show({ file: target, ...header }, () => [
        `wrote ${target}`,
        ...contents(header),
        ...aboutSecrets(header),
      ]);
    },
  );

  const restore = root.command('restore <file>').description('create a data folder from a backup');
  option(restore, io, '--data <dir>', 'folder to create; must not exist or be empty');
  option(restore, io, '--json', 'print only JSON');
  restore.action(async (file: string, flags: { data?: string; json?: boolean }) => {
    if (flags.data === undefined) throw new Fault('USAGE', 'specify the folder to create: --data DIR');
    const header = await (await loadEntry<Entry>(io, './data-folder.js')).restoreLocal(file, flags.data);
    if (flags.json) io.out(JSON.stringify({ data: flags.data, ...header }));
    else
      for (const line of [
        `restored ${flags.data}`,
        ...contents(header),
        ...aboutSecrets(header),
        `start it with: yardmaster master --data ${flags.data}`,
      ])
        io.out(line);
  });
}

/** `yardmaster repair` (docs/damage.md). Exit 1 where something could not be restored. */
export function repairCommand(root: Command, io: ProcessIo): void {
  const repair = root
    .command('repair')
    .description('restore damaged data of a stopped master, from a backup where needed; lists what cannot be restored');
  option(repair, io, '--data <dir>', 'data folder; no master may be using it');
  option(repair, io, '--from <path>', 'backup file, or a copy of the data folder');
  option(
    repair,
    io,
    '--accept',
    'take what cannot be restored as it is; damaged payloads and versions are still refused',
  );
  option(repair, io, '--json', 'print only JSON');
  repair.action(async (flags: { data?: string; from?: string; accept?: boolean; json?: boolean }) => {
    const folder = resolveDataFolder(flags.data, io);
    const entry = await loadEntry<Entry>(io, './data-folder.js');
    const report = await entry.repairLocal(folder, flags.from ?? null, flags.accept === true);
    const { restored, lost, kept } = report;
    if (flags.json) io.out(JSON.stringify({ data: folder, ...report }));
    else {
      for (const line of restored) io.out(`✓ restored: ${line}`);
      for (const line of lost) io.out(`✗ not restored: ${line}`);
      if (kept.length > 0) io.out(`the files as they were: ${kept.join(', ')}`);
      if (restored.length + lost.length === 0) io.out(`nothing in ${folder} is damaged`);
    }
    if (lost.length > 0 && flags.accept !== true)
      throw new Fault(
        'REPAIR_INCOMPLETE',
        `${lost.length} of ${lost.length + restored.length} damages could not be restored${flags.from === undefined ? ': name a backup with --from' : ''}`,
      );
  });
}

/** A master that was named, or the local one while it runs. */
const isUp = (flags: CommonFlags, io: ProcessIo): boolean =>
  flags.url !== undefined || findLocalMaster(flags.data, io) !== null;

/** Whole or not at all: what arrived is checked before it gets its name. */
async function fetchBackup({ api }: Session, file: string): Promise<BackupHeader> {
  const half = `${file}.partial-${randomUUID()}`;
  try {
    if (!existsSync(dirname(file) || '.'))
      throw new Fault('FILE_UNWRITABLE', `cannot write ${file}: folder ${dirname(file)} does not exist`);
    await pipeline(
      await api.download('master.backup'),
      createWriteStream(half, { flags: 'wx', mode: 0o600, flush: true }),
    );
    const { header } = await checkBackup(half);
    renameSync(half, file);
    return header;
  } catch (error) {
    throw error instanceof Fault
      ? error
      : new Fault(
          'BACKUP_FAILED',
          `the backup download is incomplete (${errorCode(error) ?? errorMessage(error)}); the partial file was deleted`,
          { cause: error },
        );
  } finally {
    rmSync(half, { force: true });
  }
}

const contents = ({ createdAt, version, counts }: BackupHeader): string[] => [
  `  created ${createdAt} by version ${version}: ${pluralize(counts.workflows, 'workflow')}, ${pluralize(counts.versions, 'version')}, ${pluralize(counts.jobs, 'job')}, ${pluralize(counts.tasks, 'task')}`,
];

function aboutSecrets({ secrets }: BackupHeader): string[] {
  if (secrets.count === 0) return [];
  return [
    `  contains ${secrets.count} encrypted ${secrets.count === 1 ? 'secret' : 'secrets'}, but not their key (${secrets.keyIds.join(', ')}): keep secrets.key of the data folder elsewhere, and copy it into the restored folder`,
  ];
}
