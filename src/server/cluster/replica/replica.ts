import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { JournalDatabase, Position } from '../journal/port.ts';
import { inTurn, putSnapshot } from '../put-snapshot.ts';
import { isDiverged, type ReplicaPosition } from './apply-turns.ts';
import type { WorkingCopy } from './working-copy.ts';

/** The working copy of a master that does not own the partition: it follows the journal. */
export interface Replica {
  /** Null: it holds nothing yet. */
  readonly position: ReplicaPosition | null;
  /** Applies what the journal has; gives how old the oldest entry was that it had not applied, in milliseconds. */
  catchUp(): Promise<number>;
  /** Puts a copy of what it holds into the database. */
  takeSnapshot(by: string): Promise<void>;
  /** Lets the file go: whoever opens it next finds everything applied. */
  close(): Promise<void>;
}

export interface ReplicaOptions {
  readonly copy: WorkingCopy;
  readonly database: JournalDatabase;
  log(line: string): void;
  /** The copy was not what the owner's is, and is made anew. */
  diverged?(): void;
}

const FETCH_BYTES = 4 * 1024 * 1024;

/**
 * Opens the working copy. What it holds must be in the journal: an owner that died may have written turns that the journal
 * never got; then, and where the journal no longer reaches back to it, it is rebuilt from the newest snapshot and the journal.
 */
export async function openReplica({ copy, database, log, diverged }: ReplicaOptions): Promise<Replica> {
  let position: ReplicaPosition | null = null;

  async function rebuild(why: string | null): Promise<void> {
    const snapshot = await database.snapshot();
    if (why !== null || snapshot !== null)
      log(
        `${why ?? 'the data folder is empty'}; rebuilding the state from ${snapshot ? `the snapshot at turn ${snapshot.turn} and ` : ''}the journal`,
      );
    await copy.discard();
    position = null;
    if (snapshot === null) return;
    const fetch = async (i: number) => new Uint8Array(await database.snapshotChunk(snapshot.id, i));
    await inTurn(snapshot.chunks, fetch, (i, body) => copy.writeChunk(i, body));
    position = await copy.adoptRestored();
    if (position?.turn !== snapshot.turn || position.epoch !== snapshot.epoch)
      throw new Fault('STORE_CORRUPT', `the snapshot ${snapshot.id} does not hold turn ${snapshot.turn}, as it should`);
  }

  async function isInJournal(at: Position): Promise<boolean> {
    const entry = await database.entryWith(at.turn);
    if (entry) return entry.epoch === at.epoch;
    const snapshot = await database.snapshot();
    return snapshot?.turn === at.turn && snapshot.epoch === at.epoch;
  }

  async function applyOnce(): Promise<{ more: boolean; ageMs: number }> {
    const entries = await database.entriesAfter(position?.turn ?? 0, FETCH_BYTES);
    if (entries.length === 0) return { more: false, ageMs: 0 };
    const unknown = await copy.unknownStatements(entries.map(({ body }) => body));
    if (unknown.length > 0) await copy.name(await database.statements(unknown));
    position = await copy.apply(entries.map(({ epoch, body }) => ({ epoch, body })));
    return { more: true, ageMs: Math.max(0, entries[0]?.ageMs ?? 0) };
  }

  async function catchUp(): Promise<number> {
    let oldestMs = 0;
    for (let isAgain = false; ;) {
      const { more, ageMs } = await applyOnce();
      oldestMs = Math.max(oldestMs, ageMs);
      if (more) isAgain = false;
      else if ((await database.look()).last <= (position?.turn ?? 0)) return oldestMs;
      // Something may have been appended between the two; not twice.
      else if (isAgain)
        throw new Error('the journal was cut off behind a snapshot that the working copy does not reach');
      else isAgain = true;
    }
  }

  try {
    position = await copy.position();
    if (position !== null && !(await isInJournal(position)))
      await rebuild(
        `the working copy ends with turn ${position.turn} of epoch ${position.epoch}, which the journal does not have`,
      );
    else if (position === null) await rebuild(copy.existed ? 'the working copy is not complete' : null);
    try {
      await catchUp();
    } catch (error) {
      if (error instanceof Fault && error.code === 'SCHEMA_UNKNOWN') throw error;
      if (isDiverged(error)) diverged?.();
      await rebuild(`the working copy does not follow the journal (${errorMessage(error)})`);
      await catchUp().catch(async (again: unknown) => {
        if (!isDiverged(again)) throw again;
        // What the journal says is what counts.
        log(
          `${errorMessage(again)}, also where it is rebuilt from the journal: hand the state over from the owner, whose copy is damaged`,
        );
        await copy.trust();
        await catchUp();
      });
    }
  } catch (error) {
    await copy.close();
    throw error;
  }

  return {
    get position() {
      return position;
    },
    catchUp,
    takeSnapshot: (by) => putSnapshot(database, by, copy),
    close: () => copy.close(),
  };
}
