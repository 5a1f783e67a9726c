import { setImmediate as pause } from 'node:timers/promises';
import { putRow, readPage } from '../store/rows.ts';
import type { AuditEntry, AuditVerdict } from '../../contract/access.ts';
import type { Page } from '../../contract/shapes.ts';
import { auditHash } from '../../lib/audit-hash.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { ReadHandle, Store, Value, WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import { type AuditRow, CHAINS, headOf, linkBefore, rehash, verifyAudit } from './audit-chain.ts';
import type { Access, AuditItem } from './port.ts';

const FILTERS = ['action', 'actor', 'target'] as const;

/** The log of changes. Entries are written in the transaction of the change, so neither is there without the other. */
export function createAudit({ store, clock }: { store: Store; clock: Clock }): Access['audit'] {
  // Entries of a master without chains are attested once; a hash that is missing later on is a fault. A store that refuses
  // writes tries again at its next start.
  if (store.read.query('SELECT 1 FROM audit_anchor LIMIT 1').get() === undefined)
    void store
      .write((db) => {
        for (const chain of ['changes', 'uses'] as const) {
          rehash(db, chain, linkBefore(db, chain, 0));
          putRow(db, 'audit_anchor', { chain, n: 0, hash: '' }, 'INSERT OR REPLACE');
        }
      })
      .catch(() => undefined);
  let verifying: Promise<AuditVerdict> | null = null;

  return {
    verify: () => (verifying ??= verifyAudit(store.read, () => pause()).finally(() => (verifying = null))),
    list: async (query) => listAudit(store.read, query),
    record: (db, actor, item) => put(db, actor, item, clock.now()),
    note: (actor, item) => store.write((db) => put(db, actor, item, clock.now())),
    entry(actor) {
      const at = clock.now();
      const id = uuidv7(at);
      return (db, item) => put(db, actor, item, at, id);
    },
  };
}

type AuditQuery = Parameters<Access['audit']['list']>[0];

export function listAudit(read: ReadHandle, { page, size, number, ...filter }: AuditQuery): Page<AuditEntry> {
  const set = FILTERS.filter((name) => filter[name] !== undefined);
  // A target that ends with a colon (`workflow:`) asks for all of its kind.
  const isKind = (name: (typeof FILTERS)[number]) => name === 'target' && filter[name]?.endsWith(':') === true;
  const asked = [
    ...set.map((name) => (isKind(name) ? 'target >= ? AND target < ?' : `${name} = ?`)),
    ...(number === undefined ? [] : ['n = ?']),
  ];
  const where = asked.length === 0 ? '' : `WHERE ${asked.join(' AND ')}`;
  const values: Value[] = set.flatMap((name) => {
    const value = filter[name] ?? '';
    return isKind(name) ? [value, `${value.slice(0, -1)};`] : [value];
  });
  if (number !== undefined) values.push(number);
  return readPage(read, { from: `audit ${where}`, order: 'id DESC', values }, { page, size }, entryOf);
}

/** Writes an entry as the newest of its chain. With an `id` that is there already: brings that one up to date. */
function put(
  db: WriteHandle,
  actor: Actor,
  { action, target, before, after, frequent }: AuditItem,
  at: number,
  id?: string,
): void {
  const chain = frequent ? 'uses' : 'changes';
  const known = id === undefined ? undefined : db.query<{ n: number }>('SELECT n FROM audit WHERE id = ?').get(id);
  if (known) {
    db.statement('UPDATE audit SET after = ? WHERE n = ?').run(json(after), known.n);
    rehash(db, chain, linkBefore(db, chain, known.n));
    // Destinations outside get it once more, as it is now.
    db.statement('UPDATE audit_export SET changes = min(changes, ?)').run(known.n - 1);
    return;
  }
  const last = headOf(db, chain);
  const entry = {
    ...{ n: last.n + CHAINS[chain].step, id: id ?? uuidv7(at), at },
    ...{ actor: actor.name, role: actor.role, address: actor.address },
    ...{ action, target, before: json(before), after: json(after) },
  };
  putRow(db, 'audit', { ...entry, hash: auditHash(last.hash, entry) });
}

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

export function entryOf(row: AuditRow): AuditEntry {
  const { n, ...rest } = row;
  return {
    ...rest,
    // As it was written: a role.
    role: row.role as AuditEntry['role'],
    number: n,
    at: iso(row.at),
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  };
}
