import { rmSync } from 'node:fs';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import type { SnapshotData, SnapshotMethods } from './snapshot-thread.ts';
import type { CopySource } from './working-copy.ts';

/** Snapshots are taken hours apart. */
const SNAPSHOT_IDLE_MS = 30_000;

export interface CopyBeside extends CopySource {
  /** Gives a copy under way up: SQLite is asked to stop by nobody, so this may take a while. */
  close(): Promise<void>;
}

/** Copies a working copy in a thread of its own, while whoever has it goes on writing to it. */
export function copyBeside(file: string): CopyBeside {
  const thread = createThread<SnapshotMethods>({
    file: threadFile(import.meta.url, './snapshot-thread.ts', 'snapshot-thread.js'),
    name: 'the snapshot thread',
    data: (): SnapshotData => ({ file }),
    idleMs: SNAPSHOT_IDLE_MS,
  });
  return {
    copy: () => thread.call('copy'),
    readChunk: (index) => thread.call('readChunk', index),
    dropCopy: async () => rmSync(`${file}.snapshot`, { force: true }),
    close: () => thread.close(),
  };
}
