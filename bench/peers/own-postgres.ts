import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../scripts/lib/postgres.mjs';

/** A PostgreSQL of its own that syncs every commit to the disk, with its defaults. */
export async function ownPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  // PostgreSQL may run as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const postgres = await startPostgres({ folder, durable: true, remove: true });
  return { url: postgres.url, server: { pid: postgres.pid, folder: postgres.folder }, stop: () => postgres.stop() };
}
