import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { AuditChain, AuditEntry, AuditVerdict } from '../../contract/access.ts';
import type { Page } from '../../contract/shapes.ts';
import { auditHash, hashedEntry } from '../../lib/audit-hash.ts';
import { errorCode } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { findLocalMaster, resolveDataFolder } from '../api-client.ts';
import { apiCommand, paging, type CommonFlags, type PageFlags, type Session } from '../api-command.ts';
import { option } from '../options.ts';
import { loadEntry, type ProcessIo } from '../process-io.ts';
import { pageLine, table } from '../text-table.ts';

interface ListFlags extends PageFlags {
  action?: string;
  actor?: string;
  target?: string;
}
interface Query {
  page?: number | undefined;
  size?: number | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  number?: number | undefined;
}
/** A master's audit log, or that of a data folder on which none runs. */
interface Source {
  list(query: Query): Promise<Page<AuditEntry>>;
  verify(): Promise<AuditVerdict>;
  close(): void;
}
/** What the build's entry of the master offers. */
interface Entry {
  openAuditLocal(folder: string): {
    list(query: Query & { page: number; size: number }): Page<AuditEntry>;
    verify(): Promise<AuditVerdict>;
    close(): void;
  };
}

/** `yardmaster audit …`: who changed what, and whether somebody changed that. */
export function auditCommands(root: Command, io: ProcessIo): void {
  const group = root.command('audit').description('the audit log, of a master or of a data folder without one');
  const find = apiCommand(
    group,
    io,
    'list',
    'list changes, newest first',
    async (session, flags: ListFlags & CommonFlags) => {
      const { page, size, action, actor, target } = flags;
      const found = await using(session, flags, io, (source) => source.list({ page, size, action, actor, target }));
      session.show(found, () => [
        ...table(
          ['time', 'user', 'role', 'from', 'action', 'target'],
          found.items.map((one) => [one.at, one.actor, one.role, one.address, one.action, one.target]),
          'no entries',
        ),
        ...pageLine(found),
      ]);
    },
  );
  option(find, io, '--action <action>', 'such as workflow.publish');
  option(find, io, '--actor <name>', 'who did it');
  option(find, io, '--target <target>', 'such as workflow:ID; workflow: matches all of that kind');
  paging(find, io);

  const check = apiCommand(
    group,
    io,
    'verify',
    'make the hashes of all entries again; exit 1 if one does not fit',
    async (session, flags: { file?: string } & CommonFlags) => {
      const verdict = await using(session, flags, io, async (source) => {
        const made = await source.verify();
        return flags.file === undefined
          ? { ...made, file: null }
          : { ...made, file: await compare(flags.file, source) };
      });
      const faults = [
        ...verdict.chains.flatMap(({ chain, fault }) => (fault ? [`${chain} ${fault.number}: ${fault.reason}`] : [])),
        ...(verdict.file?.faults ?? []),
      ];
      session.show({ ...verdict, ok: faults.length === 0 }, () => [
        ...verdict.chains.map(
          ({ chain, entries, anchor, head }) =>
            `${chain}: ${entries} entries fit, from ${anchor.number} to ${head.number}, ${head.hash || 'no hash yet'}`,
        ),
        ...(verdict.file ? [`file: ${verdict.file.entries} entries fit`] : []),
        ...faults,
      ]);
      if (faults.length > 0)
        throw new Fault('AUDIT_BROKEN', `the audit log was changed outside of the master: ${faults.join('; ')}`);
    },
  );
  option(
    check,
    io,
    '--file <file>',
    'also check the entries of an exported file (JSON lines), and compare its end with the log',
  );
}

async function using<T>(
  session: Session,
  flags: CommonFlags,
  io: ProcessIo,
  run: (source: Source) => Promise<T>,
): Promise<T> {
  const source = await open(session, flags, io);
  try {
    return await run(source);
  } finally {
    source.close();
  }
}

async function open(session: Session, flags: CommonFlags, io: ProcessIo): Promise<Source> {
  if (flags.url !== undefined || findLocalMaster(flags.data, io) !== null)
    return {
      list: (query) => session.api.call('audit.list', { query }),
      verify: () => session.api.call('audit.verify'),
      close: () => undefined,
    };
  const local = (await loadEntry<Entry>(io, './data-folder.js')).openAuditLocal(resolveDataFolder(flags.data, io));
  return {
    list: async ({ page = 0, size = 20, ...filter }) => local.list({ page, size, ...filter }),
    verify: local.verify,
    close: local.close,
  };
}

/** Whether the entries of an exported file follow each other, and whether the log has its last ones still as the file does. */
async function compare(file: string, { list }: Source): Promise<{ entries: number; faults: string[] }> {
  const faults: string[] = [];
  const last = new Map<AuditChain, AuditEntry>();
  let entries = 0;
  for await (const entry of entriesOf(file)) {
    const chain = entry.number > 0 ? 'changes' : 'uses';
    const before = last.get(chain);
    const follows = before !== undefined && Math.abs(entry.number) === Math.abs(before.number) + 1;
    // Some are exported again, as they were brought up to date: the last one of a number counts.
    if (follows && auditHash(before.hash, hashedEntry(entry)) !== entry.hash)
      faults.push(`${file}: the hash of entry ${entry.number} does not fit`);
    else entries++;
    last.set(chain, entry);
  }
  for (const entry of last.values()) {
    const [own] = (await list({ page: 0, size: 1, number: entry.number })).items;
    if (own !== undefined && own.hash !== entry.hash)
      faults.push(`${file}: entry ${entry.number} is another one in the log`);
  }
  return { entries, faults };
}

async function* entriesOf(file: string): AsyncGenerator<AuditEntry> {
  let at = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      at++;
      if (line.trim() !== '') yield JSON.parse(line) as AuditEntry;
    }
  } catch (error) {
    throw new Fault(
      'USAGE',
      `${file} is no file of exported entries (${errorCode(error) ?? `line ${at} is no JSON`})`,
      { cause: error },
    );
  }
}
