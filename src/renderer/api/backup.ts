import { queryOptions } from '@tanstack/react-query';
import { pathTo } from '../../lib/api-client.ts';
import { isRecord } from '../../lib/is-record.ts';
import { auditQuery } from './access.ts';
import { call } from './client.ts';

/** The backup that was taken last, by whomever: its audit entry holds the size. */
export const lastBackupQuery = () =>
  queryOptions({
    ...auditQuery({ page: 0, size: 1, action: 'backup.take' }),
    select: ({ items: [last] }) =>
      last
        ? { at: last.at, by: last.actor, bytes: Number(isRecord(last.after) ? (last.after['bytes'] ?? 0) : 0) }
        : null,
  });

/** Has the master make a backup; the browser then downloads it from `href`, once. Throws `ApiError`. */
export async function prepareBackup(): Promise<{
  readonly name: string;
  readonly href: string;
  /** One that the same person had made before and not downloaded is gone. */
  readonly replaced: boolean;
}> {
  const { id, name, replaced = false } = await call('master.prepareBackup', {});
  return { name, href: pathTo('master.downloadBackup', { params: { id } }), replaced };
}
