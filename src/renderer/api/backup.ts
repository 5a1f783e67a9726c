import { queryOptions } from '@tanstack/react-query';
import { isRecord } from '../../lib/is-record.ts';
import { ApiError, errorFrom } from '../../lib/api-error.ts';
import { t } from '../../lib/language.ts';
import { auditQuery } from './access.ts';
import { open } from './client.ts';

/** How far a backup is that this window takes. */
export interface BackupProgress {
  /** Bytes that arrived; null while the master still copies and checks its database, of which it tells no progress. */
  readonly received: number | null;
  /** Bytes of the whole file; null before it is known. */
  readonly total: number | null;
}

export interface Backup {
  readonly name: string;
  readonly file: Blob;
}

/** The backup that was taken last, by whomever: its audit entry holds the size. */
export const lastBackupQuery = () =>
  queryOptions({
    ...auditQuery({ page: 0, size: 1, action: 'backup.take' }),
    select: ({ items: [last] }) =>
      last
        ? { at: last.at, by: last.actor, bytes: Number(isRecord(last.after) ? (last.after['bytes'] ?? 0) : 0) }
        : null,
  });

/** Takes a backup and fetches it whole. Throws `ApiError` (also where the connection broke on the way), or AbortError. */
export async function fetchBackup(tell: (progress: BackupProgress) => void, signal: AbortSignal): Promise<Backup> {
  tell({ received: null, total: null });
  const response = await open('master.backup', {
    headers: { accept: 'application/octet-stream, application/problem+json' },
    signal,
  });
  if (!response.body) throw await errorFrom('master.backup', response);
  const total = Number(response.headers.get('x-backup-bytes') ?? response.headers.get('content-length')) || null;
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'yardmaster.backup';
  let received = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        received += chunk.length;
        tell({ received, total });
        controller.enqueue(chunk);
      },
    }),
  );
  const cut = () =>
    new ApiError(
      'master.backup',
      0,
      {
        title: t('The backup download is incomplete'),
        detail: t(
          'The connection was lost, or there is not enough disk space. The partial file was deleted. Try again.',
        ),
      },
      null,
    );
  const file = await new Response(counted).blob().catch((error: unknown) => {
    throw signal.aborted ? error : cut();
  });
  if (total !== null && file.size !== total) throw cut();
  return { name, file };
}
