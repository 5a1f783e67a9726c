import { readPage } from '../store/rows.ts';
import type { AuditEntry } from '../../contract/access.ts';
import type { Page } from '../../contract/shapes.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Store, WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import type { Access, AuditItem } from './port.ts';

interface Row {
  id: string;
  at: number;
  actor: string;
  role: AuditEntry['role'];
  address: string | null;
  action: string;
  target: string;
  before: string | null;
  after: string | null;
}

const FILTERS = ['action', 'actor', 'target'] as const;

/** The log of changes. Entries are written in the transaction of the change, so neither is there without the other. */
export function createAudit({ store, clock }: { store: Store; clock: Clock }): Access['audit'] {
  return {
    async list({ page, size, ...filter }): Promise<Page<AuditEntry>> {
      const set = FILTERS.filter((name) => filter[name] !== undefined);
      // A target that ends with a colon (`workflow:`) asks for all of its kind.
      const isKind = (name: (typeof FILTERS)[number]) => name === 'target' && filter[name]?.endsWith(':') === true;
      const where =
        set.length === 0
          ? ''
          : `WHERE ${set.map((name) => (isKind(name) ? 'target >= ? AND target < ?' : `${name} = ?`)).join(' AND ')}`;
      const values = set.flatMap((name) => {
        const value = filter[name] ?? '';
        return isKind(name) ? [value, `${value.slice(0, -1)};`] : [value];
      });
      return readPage(store.read, { from: `audit ${where}`, order: 'id DESC', values }, { page, size }, entryOf);
    },
    record: (db, actor, item) => put(db, actor, item, clock.now()),
    note: (actor, item) => store.write((db) => put(db, actor, item, clock.now())),
    entry(actor) {
      const at = clock.now();
      const id = uuidv7(at);
      return (db, item) => put(db, actor, item, at, id);
    },
  };
}

function put(
  db: WriteHandle,
  actor: Actor,
  { action, target, before, after }: AuditItem,
  at: number,
  id: string = uuidv7(at),
): void {
  db.statement(
    'INSERT INTO audit (id, at, actor, role, address, action, target, before, after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET after = excluded.after',
  ).run(id, at, actor.name, actor.role, actor.address, action, target, json(before), json(after));
}

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

function entryOf(row: Row): AuditEntry {
  return {
    ...row,
    at: iso(row.at),
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  };
}
