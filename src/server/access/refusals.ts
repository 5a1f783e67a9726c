import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store/port.ts';
import type { Access, AuditNote } from './port.ts';

/** Sign-ins that are refused within this time are one entry of the audit log for each address. */
const WINDOW_MS = 60_000;
/** Addresses with an entry of their own in that time; the others share one. */
const MAX_ADDRESSES = 20;

interface Refused {
  readonly note: AuditNote;
  count: number;
}

/**
 * Sign-ins that were refused, in the audit log: enough to see an attack, too little for it to fill the disk. The count
 * of an entry is brought up to date at 1, 2, 4, 8 … refusals.
 */
export function createRefusals({
  store,
  clock,
  entry,
}: {
  store: Store;
  clock: Clock;
  entry: Access['audit']['entry'];
}): (address: string | null) => void {
  let windowEnds = 0;
  const refused = new Map<string | null, Refused>();

  return (address) => {
    const now = clock.now();
    if (now >= windowEnds) {
      refused.clear();
      windowEnds = now + WINDOW_MS;
    }
    const shared = !refused.has(address) && refused.size >= MAX_ADDRESSES;
    const key = shared ? null : address;
    const one = refused.get(key) ?? { note: entry({ name: 'unknown', role: null, address: key }), count: 0 };
    refused.set(key, one);
    const count = ++one.count;
    if ((count & (count - 1)) !== 0) return;
    const target = key === null ? 'session:many addresses' : `session:${key}`;
    // A store that refuses writes refuses this one too; the sign-in was refused all the same.
    void store
      .write((db) => one.note(db, { action: 'session.refused', target, before: null, after: { refusals: count } }))
      .catch(() => undefined);
  };
}
