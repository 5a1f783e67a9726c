import { existsSync } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../lib/folders.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { fsyncPath } from '../../../lib/fsync-path.ts';
import type { SnapshotBodies } from './port.ts';

/** More than a chunk has, compressed or not. */
const MOST_BYTES = 2 * 1024 * 1024;

/**
 * Bodies in a folder that all masters see, such as a shared file system: a file for each chunk.
 *
 * @param folder made where it is missing; one for each cluster
 */
export function folderBodies(folder: string): SnapshotBodies {
  const of = (id: number): string => join(folder, String(id));
  const drop = (id: number): Promise<void> => rm(of(id), { recursive: true, force: true });

  return {
    async probe() {
      const probe = join(folder, `.probe-${process.pid}`);
      try {
        makeFolder(folder);
        await (await open(probe, 'w', 0o600)).close();
        await rm(probe);
      } catch (error) {
        throw new Fault(
          'SNAPSHOTS_UNUSABLE',
          `the folder of snapshots ${folder} is not writable (${errorMessage(error)}): make it writable for this master, or set another one with --snapshots`,
          { cause: error },
        );
      }
    },
    async begin(id) {
      await drop(id);
      await mkdir(of(id), { mode: 0o700 });
    },
    async put(id, index, body) {
      const path = join(of(id), String(index));
      const file = await open(`${path}.part`, 'w', 0o600);
      try {
        await file.writeFile(body);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.part`, path);
    },
    async end(id) {
      fsyncPath(of(id));
      fsyncPath(folder);
    },
    async chunk(id, index) {
      if (!existsSync(of(id))) return null;
      const path = join(of(id), String(index));
      const found = await lstat(path);
      // Of a pipe there would be no end, nor of a huge file.
      if (!found.isFile() || found.size > MOST_BYTES)
        throw new Fault(
          'STORE_CORRUPT',
          `${path} is no file of at most ${MOST_BYTES} bytes, as a chunk of a snapshot is`,
        );
      return readFile(path);
    },
    ids: async () => (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number),
    drop,
  };
}
