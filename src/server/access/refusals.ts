import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store/port.ts';
import type { Access } from './port.ts';

/** Refusals within this time are at most two entries of the audit log for each address: the first, and the count of the others. */
const WINDOW_MS = 60_000;
/** Addresses with entries of their own in that time; the others share one. */
const MAX_ADDRESSES = 20;

type Action = 'token.refused' | 'session.refused';
interface Refused {
  readonly action: Action;
  readonly address: string | null;
  /** Since the entry that was written last. */
  count: number;
}

export interface Refusals {
  add(action: Action, address: string | null): void;
  /** Writes the counts of the windows that are over; `all`: also of the one that runs. */
  flush(all?: boolean): Promise<void>;
}

/** Credentials that were refused, in the audit log: enough to see an attack, too little for it to fill the disk. */
export function createRefusals({
  store,
  clock,
  record,
}: {
  store: Store;
  clock: Clock;
  record: Access['audit']['record'];
}): Refusals {
  let windowEnds = 0;
  const refused = new Map<string, Refused>();

  // A store that refuses writes refuses these too; the credentials were refused all the same.
  const write = (entries: readonly { of: Refused; refusals: number }[]) =>
    store
      .write((db) => {
        for (const { of, refusals } of entries)
          record(
            db,
            { name: 'unknown', role: null, address: of.address },
            {
              action: of.action,
              target: `${of.action.split('.', 1)[0]}:${of.address ?? 'many addresses'}`,
              before: null,
              after: { refusals },
            },
          );
      })
      .catch(() => undefined);

  async function flush(all = false): Promise<void> {
    if (refused.size === 0 || (!all && clock.now() < windowEnds)) return;
    const left = [...refused.values()].flatMap((of) => (of.count === 0 ? [] : [{ of, refusals: of.count }]));
    refused.clear();
    if (left.length > 0) await write(left);
  }

  return {
    flush,
    add(action, from) {
      const now = clock.now();
      if (now >= windowEnds) {
        void flush();
        windowEnds = now + WINDOW_MS;
      }
      const address = refused.has(`${action} ${from}`) || refused.size < MAX_ADDRESSES ? from : null;
      const key = `${action} ${address}`;
      const one = refused.get(key);
      if (one) one.count++;
      else {
        const first: Refused = { action, address, count: 0 };
        refused.set(key, first);
        void write([{ of: first, refusals: 1 }]);
      }
    },
  };
}
