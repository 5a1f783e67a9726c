import type Database from 'better-sqlite3';
import { errorCode } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { TurnRecorder, WriteHandle } from '../port.ts';
import type { LogSync } from './log-sync.ts';
import type { Refusal } from './refusal.ts';

interface Pending {
  command: (db: WriteHandle) => unknown;
  /** Of the type of its command, which no list of many can tell. */
  committed(result: unknown): void;
  resolve(value: unknown): void;
  reject: (error: unknown) => void;
}

const nothing = (): void => {};

/**
 * All commands of one turn in one transaction; where one throws, the others are run again without it. With `sync`,
 * promises settle once the commit is on the disk too; the next transactions do not wait for that. The transaction begins
 * with the first statement: commands that ask the database for nothing cost it nothing, and have nothing to sync.
 */
export function groupCommit(
  db: Database.Database,
  handle: WriteHandle,
  sync: LogSync | null,
  refusal: Pick<Refusal, 'noted' | 'forGood'>,
  recorder?: TurnRecorder,
) {
  let queue: Pending[] = [];
  let closed = false;
  let held = false;
  /** A disk that could not keep what it had taken: nothing that comes after can be promised either. */
  let broken: Fault | null = null;
  const beginNow = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  let running = false;
  let begun = false;

  function begin(): void {
    if (begun || !running) return;
    beginNow.run();
    begun = true;
    recorder?.begin();
  }
  const beginning: WriteHandle = {
    query(sql) {
      begin();
      return handle.query(sql);
    },
    statement(sql) {
      begin();
      return handle.statement(sql);
    },
  };

  function runTogether(batch: Pending[]): unknown[] {
    running = true;
    begun = false;
    try {
      const results = batch.map(({ command }) => command(beginning));
      if (begun) {
        recorder?.sealed();
        commit.run();
        recorder?.committed();
      }
      return results;
    } catch (error) {
      if (db.inTransaction) rollback.run();
      throw error;
    } finally {
      running = false;
    }
  }

  function flush() {
    if (held || queue.length === 0) return;
    const batch = queue;
    queue = [];
    let results: unknown[];
    try {
      results = runTogether(batch);
    } catch {
      for (const one of batch) runAlone(one);
      return;
    }
    settle(batch, results);
  }

  function runAlone(one: Pending) {
    let results: unknown[];
    try {
      results = runTogether([one]);
    } catch (error) {
      const fault = asFault(error);
      if (fault instanceof Fault && fault.code === 'STORE_UNAVAILABLE') refusal.noted();
      return one.reject(fault);
    }
    settle([one], results);
  }

  function settle(batch: readonly Pending[], results: readonly unknown[]) {
    for (let i = 0; i < batch.length; i++) batch[i]?.committed(results[i]);
    if (sync === null) return resolveAll(batch, results);
    const tell = (error: Error | null): void => {
      if (error === null) return resolveAll(batch, results);
      if (error instanceof Fault) {
        for (const { reject } of batch) reject(error);
        return;
      }
      broken = new Fault(
        'STORE_UNAVAILABLE',
        `the disk failed to store written data (${error.message}): check the disk, then restart the master`,
        { cause: error },
      );
      refusal.forGood();
      for (const { reject } of batch) reject(broken);
    };
    if (begun) sync.after(tell);
    else sync.settled(tell);
  }

  return {
    /** For commands that use the database itself, without the handle. */
    begin,
    write<T>(command: (db: WriteHandle) => T, committed: (result: T) => void = nothing): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (closed) return reject(new Fault('SHUTTING_DOWN', 'the store is closed'));
        if (broken) return reject(broken);
        const refused = sync?.refusal?.();
        if (refused) return reject(refused);
        queue.push({ command, committed, resolve, reject });
        if (queue.length === 1) setImmediate(flush);
      });
    },
    /** Resolves once all that is committed by now is as safe as it gets. */
    durable: (): Promise<void> =>
      sync === null
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            if (broken) return reject(broken);
            sync.settled((error) => (error === null ? resolve() : reject(broken ?? error)));
          }),
    async hold(step: () => Promise<void>) {
      held = true;
      try {
        await step();
      } finally {
        held = false;
        if (queue.length > 0) setImmediate(flush);
      }
    },
    async drain() {
      closed = true;
      while (queue.length > 0) await new Promise(setImmediate);
      await sync?.close();
    },
  };
}

function resolveAll(batch: readonly Pending[], results: readonly unknown[]): void {
  for (let i = 0; i < batch.length; i++) batch[i]?.resolve(results[i]);
}

function asFault(error: unknown): unknown {
  const code = errorCode(error) ?? '';
  if (code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR') || code === 'SQLITE_READONLY')
    return new Fault(
      'STORE_UNAVAILABLE',
      `the store rejects writes (${code}): free disk space in the data folder; the store then recovers automatically`,
      { cause: error },
    );
  return error;
}
