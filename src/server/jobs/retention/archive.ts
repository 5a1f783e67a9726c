import { rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../lib/folders.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import type { ArchiveMethods } from './archive-thread.ts';
import type { Store } from '../../store/port.ts';
import { archiveName } from './archive-file.ts';
import type { Archived } from './remove-jobs.ts';
import * as sql from './sql.ts';

export interface Archive {
  /** Brings jobs that finished on one day to the disk, behind what is valid there; it counts once `PUT_ARCHIVE_FILE` says so. */
  append(finishedAt: number, seqs: readonly number[]): Promise<Archived>;
  /** Cuts off what is not valid: what was archived and then not removed. */
  cutTails(): Promise<void>;
  close(): Promise<void>;
}

/** The archive files of a data folder. A thread writes them, started by the first jobs. */
export function createArchive(store: Store, folder: string): Archive {
  const { read } = store;
  const thread = createThread<ArchiveMethods>({
    file: threadFile(import.meta.url, './archive-thread.ts', 'archive-thread.js'),
    name: 'the archive thread',
    data: () => ({ file: store.file }),
  });

  /** The file of a day and how much of it is valid. One that is there and not known is somebody else's, and stays as it is. */
  async function fileOf(finishedAt: number): Promise<{ name: string; valid: number }> {
    for (let nth = 1; ; nth++) {
      const name = archiveName(finishedAt, nth);
      const known = read.query<{ bytes: number }>(sql.ARCHIVE_FILE_BYTES).get(name)?.bytes;
      const size = await sizeOf(join(folder, name));
      if (known === undefined && size !== null) continue;
      // Whoever took the file away begins a new one.
      const valid = Math.min(known ?? 0, size ?? 0);
      // Noted before it is begun, or what a killed master wrote into it would count.
      if (valid !== known) await store.write((db) => db.statement(sql.PUT_ARCHIVE_FILE).run(name, valid, 0));
      return { name, valid };
    }
  }

  return {
    async append(finishedAt, seqs) {
      makeFolder(folder);
      const { name, valid } = await fileOf(finishedAt);
      return { name, bytes: await thread.call('append', join(folder, name), valid, seqs) };
    },
    async cutTails() {
      for (const { name, bytes } of read.query<{ name: string; bytes: number }>(sql.ARCHIVE_FILES).all()) {
        const file = join(folder, name);
        if (((await sizeOf(file)) ?? 0) <= bytes) continue;
        // An empty file is none that gzip reads.
        await (bytes === 0 ? rm(file) : truncate(file, bytes));
      }
    },
    async close() {
      if (thread.running) await thread.call('close').catch(() => {});
      await thread.close();
    },
  };
}

const sizeOf = (file: string): Promise<number | null> =>
  stat(file).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
