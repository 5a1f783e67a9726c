import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import type { Access, Identity, PayloadReads } from './port.ts';
import { LOCAL } from './principal.ts';

const WINDOW_MS = 3_600_000;
/** How often the count of further reads is written. */
const COUNT_MS = 60_000;

interface Reader {
  readonly actor: Actor;
  /** What they read in this hour and has an entry of its own. */
  readonly targets: Set<string>;
  /** Reads without one since the last count. */
  further: number;
  countedAt: number;
}

/**
 * Who read payloads, in the audit log: one entry for each person and target in an hour, written beside the answer. Beyond
 * `auditPayloadReads` of them, what somebody reads is counted, so that a script fills neither the disk nor the log.
 */
export function createPayloadReads({
  store,
  clock,
  limits,
  record,
  principal,
}: {
  store: Store;
  clock: Pick<Clock, 'now'>;
  limits: { readonly auditPayloadReads: number };
  record: Access['audit']['record'];
  principal: Access['principal'];
}): PayloadReads & { flush(all?: boolean): Promise<void> } {
  let windowEnds = 0;
  const readers = new Map<string, Reader>();

  const write = (actor: Actor, target: string, after: unknown) =>
    store.write((db) => record(db, actor, { action: 'payload.read', target, before: null, after, frequent: true }));

  /** Whoever sits at the machine of a master without people reads what is theirs. */
  const isAlone = (identity: Identity) =>
    identity.userId === null &&
    principal(identity).id === LOCAL &&
    store.read.query('SELECT 1 FROM user LIMIT 1').get() === undefined;

  /** Writes what was counted. A store that refuses writes refuses that, too. */
  async function flush(all = false): Promise<void> {
    const now = clock.now();
    const due = [...readers.values()].filter(
      ({ further, countedAt }) => further > 0 && (all || now - countedAt >= COUNT_MS),
    );
    const counts = due.map(({ actor, further }) => ({ actor, reads: further }));
    for (const reader of due) Object.assign(reader, { further: 0, countedAt: now });
    for (const { actor, reads } of counts) await write(actor, 'payload:further', { reads }).catch(() => undefined);
  }

  return {
    flush,
    async note(identity, actor, target, what) {
      const now = clock.now();
      if (now >= windowEnds) {
        void flush(true);
        readers.clear();
        windowEnds = now + WINDOW_MS;
      }
      const key = identity.userId ?? `${actor.role} ${actor.name}`;
      const reader = readers.get(key) ?? { actor, targets: new Set(), further: 0, countedAt: now };
      if (reader.targets.has(target) || isAlone(identity)) return;
      readers.set(key, reader);
      if (reader.targets.size >= limits.auditPayloadReads) {
        reader.further++;
        return;
      }
      reader.targets.add(target);
      // A store that refuses writes is asked again with the next read.
      await write(actor, target, what).catch(() => void reader.targets.delete(target));
    },
  };
}
