import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { JournalDatabase, Position, SnapshotInfo } from '../journal/port.ts';
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

  /** Of the newest snapshot; where that cannot be restored, of an older one, or of nothing, if the journal reaches back to it. */
  async function rebuild(why: string | null): Promise<void> {
    const snapshots = await database.snapshots();
    const [newest] = snapshots;
    if (why !== null || newest)
      log(
        `${why ?? 'the data folder is empty'}; rebuilding the state from ${newest ? `the snapshot at turn ${newest.turn} and ` : ''}the journal`,
      );
    await discard();
    if (!newest) return;
    const problems: string[] = [];
    for (const snapshot of [...snapshots, null]) {
      const from = snapshot === null ? 'no snapshot' : `the snapshot ${snapshot.id} at turn ${snapshot.turn}`;
      if (!(await journalFollows(snapshot?.turn ?? 0))) {
        problems.push(`the journal does not reach back to ${snapshot === null ? 'its beginning' : from}`);
        continue;
      }
      if (problems.length > 0) log(`${problems.at(-1)}; going on with ${from} and the journal`);
      if (snapshot === null) return;
      try {
        return await restore(snapshot);
      } catch (error) {
        if (error instanceof Fault && error.code === 'SCHEMA_UNKNOWN') throw error;
        // Where the database does not answer, no other snapshot helps.
        await database.look();
        problems.push(`${from} cannot be restored (${errorMessage(error)})`);
        await discard();
      }
    }
    throw new Fault(
      'STORE_CORRUPT',
      `the state cannot be rebuilt: ${problems.join('; ')}. A master that still has a working copy takes the next snapshot; without one, restore PostgreSQL (and the place of --snapshots) from a backup`,
    );
  }

  async function discard(): Promise<void> {
    await copy.discard();
    position = null;
  }

  /** Whether the journal has everything that came after this turn. */
  async function journalFollows(turn: number): Promise<boolean> {
    const [next] = await database.entriesAfter(turn, 1);
    return next ? next.first <= turn + 1 : (await database.look()).last <= turn;
  }

  async function restore(snapshot: SnapshotInfo): Promise<void> {
    const fetch = async (i: number) => new Uint8Array(await database.snapshotChunk(snapshot.id, i));
    await inTurn(snapshot.chunks, fetch, (i, body) => copy.writeChunk(i, body));
    position = await copy.adoptRestored();
    if (position?.turn !== snapshot.turn || position.epoch !== snapshot.epoch)
      throw new Fault('STORE_CORRUPT', `the snapshot ${snapshot.id} does not hold turn ${snapshot.turn}, as it should`);
  }

  async function isInJournal(at: Position): Promise<boolean> {
    const entry = await database.entryWith(at.turn);
    if (entry) return entry.epoch === at.epoch;
    return (await database.snapshots()).some(({ turn, epoch }) => turn === at.turn && epoch === at.epoch);
  }

  async function applyOnce(): Promise<{ more: boolean; ageMs: number }> {
    const entries = await database.entriesAfter(position?.turn ?? 0, FETCH_BYTES);
    if (entries.length === 0) return { more: false, ageMs: 0 };
    const unknown = await copy.unknownStatements(entries.map(({ body }) => body));
    if (unknown.length > 0) await copy.name(await database.statements(unknown));
    const before = position?.turn ?? 0;
    position = await copy.apply(entries.map(({ epoch, body }) => ({ epoch, body })));
    // Else the same entries would be read for ever.
    if ((position?.turn ?? 0) <= before)
      throw new Error(`the journal's entries behind turn ${before} hold none of the turns that they are said to hold`);
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
