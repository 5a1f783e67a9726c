import { errorMessage } from '../../lib/errors.ts';
import { createReadStream, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { headerBytes, type BackupHeader } from '../../lib/backup-file.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { threadFile } from '../../lib/thread-file.ts';
import type { Access } from '../access/port.ts';
import { createThread } from '../offload/thread.ts';
import type { BackupMethods } from './backup-thread.ts';
import type { Store } from '../store/port.ts';
import type { Backups } from './port.ts';

export interface BackupDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: Access['audit'];
  /** Where a backup is made before it is read. */
  readonly folder: string;
}

const PREFIX = 'backup-';

/** Takes backups: a copy in the data folder, made by a thread, which is then read as one stream. Copies of a run that was killed are removed. */
export function createBackups({ store, folder, clock, audit }: BackupDeps): Backups {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (name.startsWith(PREFIX)) rmSync(join(folder, name), { force: true });
  let running: { end(): void } | null = null;

  async function copy(file: string): Promise<BackupHeader> {
    const thread = createThread<BackupMethods>({
      file: threadFile(import.meta.url, './backup-thread.ts', 'backup-thread.js'),
      name: 'the backup thread',
      data: () => ({ source: store.file }),
    });
    running = { end: () => void thread.close() };
    try {
      return await thread.call('copy', file, iso(clock.now()));
    } catch (error) {
      throw error instanceof Fault && error.code === 'BACKUP_FAILED'
        ? error
        : new Fault(
            'BACKUP_FAILED',
            `could not copy the database (${errorMessage(error)})${roomWords(store.file, folder)}`,
            { cause: error },
          );
    } finally {
      await thread.close();
    }
  }

  return {
    async take(actor) {
      if (running) throw new Fault('BACKUP_RUNNING', 'a backup is already running: try again when it has finished');
      const file = join(folder, `${PREFIX}${clock.now()}.db`);
      const done = () => {
        rmSync(file, { force: true });
        running = null;
      };
      try {
        running = { end() {} };
        const header = await copy(file);
        const head = headerBytes(header);
        const stream = Readable.from(bytesOf(head, file), { objectMode: false, highWaterMark: 256 * 1024 });
        running = { end: () => void stream.destroy() };
        stream.once('close', done);
        const bytes = head.length + header.parts.reduce((sum, part) => sum + part.bytes, 0);
        await store.write((db) =>
          audit.record(db, actor, {
            action: 'backup.take',
            target: 'master',
            before: null,
            after: { bytes, version: header.version, schema: header.schema, counts: header.counts },
          }),
        );
        return { header, bytes, stream };
      } catch (error) {
        done();
        throw error;
      }
    },
    async close() {
      running?.end();
    },
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/** What a copy takes at most, and what there is. */
function roomWords(source: string, folder: string): string {
  try {
    const { bavail, bsize } = statfsSync(folder);
    // What was written last stands in the log beside it.
    const bytes = [source, `${source}-wal`].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
    return `: the copy needs up to ${megabytes(bytes)} in ${folder}, and ${megabytes(bavail * bsize)} are free`;
  } catch {
    return `: check the free disk space of ${folder}`;
  }
}

async function* bytesOf(head: Buffer, file: string): AsyncGenerator<Buffer> {
  yield head;
  // A stream without an encoding gives buffers.
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) yield chunk as Buffer;
}
