import type { FastifyReply } from 'fastify';
import type { BackupHeader } from '../../../lib/backup-file.ts';
import type { TakenBackup } from '../../backup/port.ts';
import { createPreparedBackups } from '../../backup/prepared.ts';
import type { Actor } from '../../workflows/port.ts';
import { adminAlone } from './admin-alone.ts';
import { ALREADY_SENT, route, type App } from '../core/route.ts';

/**
 * One file with the state of the master, taken while it works (docs/retention-and-backup.md): at once (`POST /api/v1/backup`),
 * or made first and downloaded by a link then, so that a browser writes it to the disk itself.
 */
export function masterBackupRoutes(app: App): void {
  const { backups } = app.services;
  const prepared = createPreparedBackups();
  route(app, 'master.backup', async ({ actor, identity, reply }) => {
    // It has everything, whoever may see what.
    adminAlone(identity, 'takes backups');
    await prepared.discard(ownerOf(actor));
    return sendBackup(reply, await backups.take(actor));
  });
  route(app, 'master.prepareBackup', async ({ actor, identity }) => {
    adminAlone(identity, 'takes backups');
    const owner = ownerOf(actor);
    const replaced = await prepared.discard(owner);
    const backup = await backups.take(actor);
    return { id: prepared.hold(backup, owner), name: fileName(backup.header), bytes: backup.bytes, replaced };
  });
  route(app, 'master.downloadBackup', ({ params, identity, reply }) => {
    adminAlone(identity, 'takes backups');
    return sendBackup(reply, prepared.take(params.id));
  });
}

/** Names of tokens may be those of people. */
const ownerOf = ({ userId, name }: Actor): string => (userId ? `user ${userId}` : `token ${name}`);

const fileName = ({ createdAt }: BackupHeader): string =>
  `yardmaster-${createdAt.slice(0, 19).replaceAll(/[:T]/g, '-')}.backup`;

function sendBackup(reply: FastifyReply, { header, bytes, stream }: TakenBackup): typeof ALREADY_SENT {
  // Whoever asked may be gone by now.
  if (reply.raw.destroyed) stream.destroy();
  reply.raw.once('close', () => stream.destroy());
  void reply
    .header('content-type', 'application/octet-stream')
    .header('content-length', bytes)
    // The desktop app hands no length on, as bodies arrive unpacked there.
    .header('x-backup-bytes', bytes)
    .header('content-disposition', `attachment; filename="${fileName(header)}"`)
    .send(stream);
  return ALREADY_SENT;
}
