import type { AuditChain, AuditVerdict } from '../../contract/access.ts';
import { auditHash, type HashedEntry } from '../../lib/audit-hash.ts';
import type { ReadHandle, WriteHandle } from '../store/port.ts';

/**
 * The audit log as chains of hashes: each entry holds the hash of itself and of the one before it, so that whoever changes,
 * removes or adds one in between has to make all later hashes anew, which what was exported before then contradicts.
 */

export interface AuditRow extends HashedEntry {
  readonly hash: string | null;
}

/** Of an entry, or of what stands before the first. */
export interface Link {
  readonly n: number;
  readonly hash: string | null;
}

export const CHAINS = {
  /** What people changed: 1, 2, 3 … */
  changes: { step: 1, rows: 'n > 0', order: 'n' },
  /** What jobs used and who read payloads (`AuditItem.frequent`): -1, -2, -3 … */
  uses: { step: -1, rows: 'n < 0', order: 'n DESC' },
} as const satisfies Record<AuditChain, { step: number; rows: string; order: string }>;
const NOTHING: Link = { n: 0, hash: null };
/** Entries that are read at a time. */
const SLICE = 500;

const anchorOf = (db: ReadHandle, chain: AuditChain): Link =>
  db.query<Link>('SELECT n, hash FROM audit_anchor WHERE chain = ?').get(chain) ?? NOTHING;

/** The newest entry, or what stands before the first. */
export function headOf(db: ReadHandle, chain: AuditChain): Link {
  const { step, rows } = CHAINS[chain];
  return (
    db.query<Link>(`SELECT n, hash FROM audit WHERE ${rows} ORDER BY n ${step > 0 ? 'DESC' : 'ASC'} LIMIT 1`).get() ??
    anchorOf(db, chain)
  );
}

/** Up to so many entries of a chain behind `n`, the oldest first. */
export function entriesAfter(db: ReadHandle, chain: AuditChain, n: number, most: number): AuditRow[] {
  const { rows, step, order } = CHAINS[chain];
  return db
    .query<AuditRow>(`SELECT * FROM audit WHERE ${rows} AND n ${step > 0 ? '>' : '<'} ? ORDER BY ${order} LIMIT ?`)
    .all(n, most);
}

/** Makes the hashes behind `from` anew: an entry was brought up to date, or had none yet. */
export function rehash(db: WriteHandle, chain: AuditChain, from: Link): void {
  let last = from;
  for (;;) {
    const rows = entriesAfter(db, chain, last.n, SLICE);
    for (const row of rows) {
      last = { n: row.n, hash: auditHash(last.hash, row) };
      db.statement('UPDATE audit SET hash = ? WHERE n = ?').run(last.hash, row.n);
    }
    if (rows.length < SLICE) return;
  }
}

/** The link before an entry. */
export function linkBefore(db: ReadHandle, chain: AuditChain, n: number): Link {
  const { rows, step } = CHAINS[chain];
  const [sign, order] = step > 0 ? ['<', 'DESC'] : ['>', 'ASC'];
  return (
    db.query<Link>(`SELECT n, hash FROM audit WHERE ${rows} AND n ${sign} ? ORDER BY n ${order} LIMIT 1`).get(n) ??
    anchorOf(db, chain)
  );
}

/** Reads a chain whole and makes its hashes again. `pause`: called between slices. */
export async function verifyChain(
  db: ReadHandle,
  chain: AuditChain,
  pause: () => Promise<void>,
): Promise<AuditVerdict['chains'][number]> {
  const { step } = CHAINS[chain];
  const anchor = anchorOf(db, chain);
  let last = anchor;
  let entries = 0;
  const told = (fault: AuditVerdict['chains'][number]['fault']) => ({
    ...{ chain, entries, fault },
    ...{ anchor: { number: anchor.n, hash: anchor.hash }, head: { number: last.n, hash: last.hash } },
  });
  for (;;) {
    const rows = entriesAfter(db, chain, last.n, SLICE);
    for (const row of rows) {
      const at = { number: row.n, id: row.id };
      if (row.n !== last.n + step) return told({ ...at, reason: `entries are missing between ${last.n} and ${row.n}` });
      if (row.hash !== auditHash(last.hash, row))
        return told({
          ...at,
          reason: 'its hash does not fit: this entry, or the one before it, was changed outside of the master',
        });
      last = row;
      entries++;
    }
    if (rows.length < SLICE) return told(null);
    await pause();
  }
}

/** All chains. What retention or the master itself changed meanwhile is looked at a second time. */
export async function verifyAudit(db: ReadHandle, pause: () => Promise<void>): Promise<AuditVerdict> {
  const chains: AuditVerdict['chains'] = [];
  for (const chain of ['changes', 'uses'] as const) {
    const verdict = await verifyChain(db, chain, pause);
    chains.push(verdict.fault === null ? verdict : await verifyChain(db, chain, pause));
  }
  return { ok: chains.every(({ fault }) => fault === null), chains };
}
