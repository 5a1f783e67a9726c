import { adminAlone } from './admin-alone.ts';
import { ALREADY_SENT, route, type App } from '../core/route.ts';

/** `POST /api/v1/backup`: one file with the state of the master, taken while it works (docs/retention-and-backup.md). */
export function masterBackupRoutes(app: App): void {
  const { backups } = app.services;
  route(app, 'master.backup', async ({ actor, identity, reply }) => {
    // It has everything, whoever may see what.
    adminAlone(identity, 'takes backups');
    const { header, bytes, stream } = await backups.take(actor);
    const name = `yardmaster-${header.createdAt.slice(0, 19).replaceAll(/[:T]/g, '-')}.backup`;
    // The desktop app hands no length on, as bodies arrive unpacked there: the console tells its progress by the other header.
    // Whoever asked may be gone by now.
    if (reply.raw.destroyed) stream.destroy();
    reply.raw.once('close', () => stream.destroy());
    void reply
      .header('content-type', 'application/octet-stream')
      .header('content-length', bytes)
      .header('x-backup-bytes', bytes)
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(stream);
    return ALREADY_SENT;
  });
}
