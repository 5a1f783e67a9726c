import type { AuditEntry } from '../../contract/access.ts';
import { BACKOFF, createBackoff } from '../../lib/backoff.ts';
import { errorMessage } from '../../lib/errors.ts';
import type { Store } from '../store/port.ts';
import { entryOf } from './audit.ts';
import { entriesAfter, headOf } from './audit-chain.ts';

/** A place outside that gets all entries. */
export interface AuditDestination {
  /** Under which it is remembered how far it is: a kind and an address, without secrets. */
  readonly name: string;
  /** Resolves once they are there; rejects where they may not be: they are sent again then. */
  send(entries: readonly AuditEntry[]): Promise<void>;
  close(): void;
}

export interface AuditExportStats {
  readonly destination: string;
  /** Entries that it lacks. */
  readonly behind: number;
  /** Why the last attempt failed; null: it did not. */
  readonly failing: string | null;
}

export interface AuditExport {
  stats(): AuditExportStats[];
  close(): Promise<void>;
}

const LOOK_MS = 1000;
/** Entries of a chain in one batch. */
const BATCH = 200;

interface Place {
  readonly changes: number;
  readonly uses: number;
}
const START: Place = { changes: 0, uses: 0 };

/**
 * Sends the entries of the audit log to places outside, in order, each at least once: how far each is stands in the
 * database, so that a restart goes on there. What retention deletes before it was sent is lost.
 */
export function exportAudit({
  store,
  destinations,
  log,
}: {
  store: Store;
  destinations: readonly AuditDestination[];
  log(line: string): void;
}): AuditExport {
  const running = destinations.map((destination) => follow(store, destination, log));
  return {
    stats: () => running.map(({ stats }) => stats()),
    async close() {
      await Promise.all(running.map(({ close }) => close()));
    },
  };
}

function follow(store: Store, destination: AuditDestination, log: (line: string) => void) {
  const { name } = destination;
  const backoff = createBackoff(BACKOFF.auditExport);
  let failing: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let sending: Promise<void> = Promise.resolve();

  const placeOf = (): Place =>
    store.read.query<Place>('SELECT changes, uses FROM audit_export WHERE destination = ?').get(name) ?? START;

  /** True where there may be more. */
  async function sendBatch(): Promise<boolean> {
    const from = placeOf();
    const changes = entriesAfter(store.read, 'changes', from.changes, BATCH);
    const uses = entriesAfter(store.read, 'uses', from.uses, BATCH);
    if (changes.length + uses.length === 0) return false;
    await destination.send([...changes, ...uses].map(entryOf));
    const to: Place = { changes: changes.at(-1)?.n ?? from.changes, uses: uses.at(-1)?.n ?? from.uses };
    await store.write((db) => {
      // An entry that was brought up to date meanwhile has set the place back: it is sent again.
      const known = db.query<Place>('SELECT changes, uses FROM audit_export WHERE destination = ?').get(name) ?? START;
      db.statement('INSERT OR REPLACE INTO audit_export (destination, changes, uses) VALUES (?, ?, ?)').run(
        name,
        known.changes === from.changes ? to.changes : known.changes,
        to.uses,
      );
    });
    return true;
  }

  async function round(): Promise<void> {
    try {
      while (!closed && (await sendBatch()));
      if (failing !== null) log(`audit export to ${name} works again`);
      failing = null;
      backoff.reset();
      plan(LOOK_MS);
    } catch (error) {
      if (failing === null) log(`audit export to ${name} failed, and is tried again: ${errorMessage(error)}`);
      failing = errorMessage(error);
      plan(backoff.next());
    }
  }
  function plan(ms: number): void {
    if (closed) return;
    timer = setTimeout(() => (sending = round()), ms);
    timer.unref();
  }
  plan(0);

  return {
    stats(): AuditExportStats {
      const { changes, uses } = placeOf();
      const behind = headOf(store.read, 'changes').n - changes + (uses - headOf(store.read, 'uses').n);
      return { destination: name, behind: Math.max(0, behind), failing };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      destination.close();
      await sending;
    },
  };
}
