import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Operation } from '../../../contract/operations.ts';
import { apiCommand, paging, type PageFlags, type Session } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { option } from '../../options.ts';
import { namedValues, pluralize, pageLine, table } from '../../text-table.ts';

const LOOK_MS = 500;

/** `yardmaster operations …`: bulk operations and what became of each job. */
export function operationsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('operations').description('bulk operations on jobs');

  const find = apiCommand(
    group,
    io,
    'list',
    'list bulk operations, newest first',
    async (session, { page, size }: PageFlags) => {
      const found = await session.api.call('operations.list', { query: { page, size } });
      session.show(found, () => [
        ...table(
          ['id', 'kind', 'status', 'done', 'total', 'skipped', 'by', 'created', 'finished'],
          found.items.map((one) => [
            one.operationId,
            one.kind,
            one.status,
            one.done,
            one.total,
            one.failed,
            one.createdBy,
            one.createdAt,
            one.finishedAt,
          ]),
          'no operations',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(find, io);

  const show = apiCommand(
    group,
    io,
    'show <operation>',
    'show a bulk operation and its progress',
    async (session, { wait }: { wait?: boolean }, id) => {
      const found =
        wait === true ? await follow(session, id) : await session.api.call('operations.get', { params: { id: id } });
      session.show(found, () => operationLines(found));
    },
  );
  option(show, io, '--wait', 'wait until it has finished');

  const results = apiCommand(
    group,
    io,
    'results <operation>',
    'show the result of each job, in processing order',
    async (session, { page, size, failed, ok }: PageFlags & { failed?: boolean; ok?: boolean }, id) => {
      const query = { page, size, ok: failed === true ? false : ok === true ? true : undefined };
      const found = await session.api.call('operations.results', { params: { id: id }, query });
      session.show(found, () => [
        ...table(
          ['job', 'ok', 'code', 'message'],
          found.items.map((one) => [one.jobId, one.ok ? 'yes' : 'no', one.code, one.message]),
          'no results yet',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(results, io);
  option(results, io, '--failed', 'only skipped jobs');
  option(results, io, '--ok', 'only jobs that succeeded');

  apiCommand(group, io, 'abort <operation>', 'stop it; completed work is not undone', async (session, _flags, id) => {
    const found = await session.api.call('operations.abort', { params: { id: id } });
    session.show(found, () => operationLines(found));
  });
}

/** Waits for the end of an operation. */
export async function follow({ api }: Session, id: string): Promise<Operation> {
  for (;;) {
    const found = await api.call('operations.get', { params: { id } });
    if (found.status !== 'RUNNING') return found;
    await delay(LOOK_MS);
  }
}

export function operationLines(operation: Operation): string[] {
  const { operationId, kind, status, total, done, failed, createdBy, createdAt, finishedAt, filter, commit } =
    operation;
  return namedValues({
    operation: operationId,
    kind,
    ...(commit === undefined ? {} : { version: commit ?? 'original version of each job' }),
    status,
    done: `${done} of ${pluralize(total, 'job')}${failed > 0 ? `, ${failed} skipped` : ''}`,
    by: createdBy,
    filter: filter === null ? 'jobs by ID' : JSON.stringify(filter),
    created: createdAt,
    finished: finishedAt,
  });
}
