import type { JournalDatabase, Position } from './journal/port.ts';
import type { CopySource } from './replica/working-copy.ts';

/**
 * Puts a copy of a working copy into the database.
 *
 * @param known rejects where the journal will not have what the copy holds: nobody may ever begin from it then
 */
export async function putSnapshot(
  database: Pick<JournalDatabase, 'beginSnapshot' | 'putSnapshotChunk' | 'endSnapshot'>,
  by: string,
  source: CopySource,
  known: (at: Position) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    const { epoch, turn, schema, bytes, chunks } = await source.copy();
    await known({ epoch, turn });
    const id = await database.beginSnapshot({ epoch, turn }, schema, by);
    await inTurn(
      chunks,
      (i) => source.readChunk(i),
      (i, body) => database.putSnapshotChunk(id, i, body),
    );
    await database.endSnapshot(id, bytes, chunks);
  } finally {
    await source.dropCopy();
  }
}

/** Reads the next part while the last is written. */
export async function inTurn<T>(
  count: number,
  read: (index: number) => Promise<T>,
  write: (index: number, part: T) => Promise<void>,
): Promise<void> {
  let next = count > 0 ? read(0) : null;
  for (let i = 0; next !== null; i++) {
    const part: T = await next;
    next = i + 1 < count ? read(i + 1) : null;
    // Whoever waits for it is told; until then nobody does.
    next?.catch(() => {});
    await write(i, part);
  }
}
