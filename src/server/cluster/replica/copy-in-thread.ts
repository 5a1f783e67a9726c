import { existsSync } from 'node:fs';
import { LIMITS } from '../../../contract/limits.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import { migrations } from '../../store/sqlite/migrate.ts';
import { copyBeside } from './copy-beside.ts';
import type { ReplicaData, ReplicaMethods } from './replica-thread.ts';
import type { TrackedCopy } from './working-copy.ts';

/**
 * Opens the SQLite file of a standby in a thread of its own; `tracked`: it notes what changes, for the projection.
 *
 * @param entryBytes how large an entry of the journal may be before compression
 */
export function copyInThread(
  file: string,
  tracked = false,
  entryBytes: number = LIMITS.journalUnpackedBytes,
): TrackedCopy {
  const thread = createThread<ReplicaMethods>({
    file: threadFile(import.meta.url, './replica-thread.ts', 'replica-thread.js'),
    name: 'the replica thread',
    data: (): ReplicaData => ({
      file,
      migrations: migrations.map(({ number, sql }) => ({ number, sql })),
      ...{ tracked, entryBytes },
    }),
  });
  // Another one: a copy of a large file takes minutes, and whoever takes the state over waits for nothing.
  const { close: closeSnapshots, ...snapshots } = copyBeside(file);
  // One and the same thread: it holds the file.
  const { call, release } = thread.session();
  return {
    existed: existsSync(file),
    position: () => call('position'),
    unknownStatements: (entries) => call('unknownStatements', entries),
    name: (statements) => call('name', statements),
    apply: (entries) => call('apply', entries),
    trust: () => call('trust'),
    tracked: () => call('tracked'),
    changes: (most, extras) => call('changes', most, extras),
    written: (upTo) => call('written', upTo),
    markAll: (build) => call('markAll', build),
    discard: () => call('discard'),
    ...snapshots,
    writeChunk: (index, body) => call('writeChunk', index, body),
    adoptRestored: () => call('adoptRestored'),
    async close() {
      void closeSnapshots();
      await call('close').catch(() => {});
      release();
      await thread.close();
    },
  };
}
