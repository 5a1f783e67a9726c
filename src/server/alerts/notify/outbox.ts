import { parseStored } from '../../../lib/json.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Store, WriteHandle } from '../../store/port.ts';
import type { GroupState, NotifiedAlert } from './groups.ts';
import type { Message } from './message.ts';

/** A message that waits to be delivered. */
export interface PendingMessage {
  readonly message: Message;
  /** What the receiver knows once it is. */
  readonly told: Readonly<Record<string, NotifiedAlert>>;
  readonly attempt: number;
  readonly nextTryAt: number;
  /** How long it waits at most; more is a clock that went back. */
  readonly waitMs?: number;
  /** Addresses that have it already. */
  readonly taken?: readonly string[];
}

export interface OutboxDeps {
  readonly store: Store;
  readonly clock: Clock;
  onError(error: unknown): void;
}

type Also = (db: WriteHandle) => void;

const SAVE_AGAIN_MS = 5000;

/** Groups and what waits for them, in memory and in the store. */
export function createOutbox({ store, clock, onError }: OutboxDeps) {
  const groups = new Map<string, GroupState>();
  const outbox = new Map<string, PendingMessage>();
  /** Groups whose last change the store refused. */
  const unsaved = new Set<string>();
  let saveAgainAt = 0;
  /** What is written at the end of this turn of the event loop. */
  let next: { readonly keys: Set<string>; readonly also: Also[]; readonly written: Promise<void> } | null = null;
  for (const { key, state } of store.read.query<{ key: string; state: string }>('SELECT * FROM alert_group').all())
    groups.set(key, parseStored<GroupState>(state));
  for (const { group_key, message } of store.read
    .query<{ group_key: string; message: string }>('SELECT group_key, message FROM alert_outbox')
    .all()) {
    if (groups.has(group_key)) outbox.set(group_key, parseStored<PendingMessage>(message));
    // Its group went while the store refused to forget the message.
    else unsaved.add(group_key);
  }

  function persist(keys: readonly string[], also?: Also): Promise<void> {
    const batch = (next ??= collect());
    for (const key of keys) batch.keys.add(key);
    if (also) batch.also.push(also);
    return batch.written;
  }
  function collect(): NonNullable<typeof next> {
    const keys = new Set<string>();
    const also: Also[] = [];
    return { keys, also, written: write(keys, also) };
  }
  async function write(keys: ReadonlySet<string>, also: readonly Also[]): Promise<void> {
    let all = keys;
    try {
      await store.write((db) => {
        if (next?.keys === keys) next = null;
        all = new Set([...unsaved, ...keys]);
        for (const key of all) {
          saveGroup(db, key);
          savePending(db, key);
        }
        for (const one of also) one(db);
      });
      for (const key of all) unsaved.delete(key);
    } catch (error) {
      // It may have been refused before it began.
      if (next?.keys === keys) next = null;
      for (const key of keys) unsaved.add(key);
      saveAgainAt = clock.now() + SAVE_AGAIN_MS;
      onError(error);
    }
  }
  function saveGroup(db: WriteHandle, key: string): void {
    const group = groups.get(key);
    if (group)
      db.statement('INSERT OR REPLACE INTO alert_group (key, state) VALUES (?, ?)').run(key, JSON.stringify(group));
    else db.statement('DELETE FROM alert_group WHERE key = ?').run(key);
  }
  function savePending(db: WriteHandle, key: string): void {
    const pending = outbox.get(key);
    if (pending)
      db.statement('INSERT OR REPLACE INTO alert_outbox (group_key, id, message) VALUES (?, ?, ?)').run(
        key,
        pending.message.id,
        JSON.stringify(pending),
      );
    else db.statement('DELETE FROM alert_outbox WHERE group_key = ?').run(key);
  }

  return {
    groups,
    outbox,
    /**
     * Writes groups and their messages as they are in memory at the end of this turn, once each. Memory goes first: what
     * fires is told even where the store refuses writes. What it refused it is given again with the next change, or later.
     * Never rejects.
     */
    persist,
    /** What the store refused a while ago, if anything. */
    persistRefused(now: number): void {
      if (unsaved.size === 0 || (now < saveAgainAt && saveAgainAt - now <= SAVE_AGAIN_MS)) return;
      saveAgainAt = now + SAVE_AGAIN_MS;
      void persist([]);
    },
  };
}
