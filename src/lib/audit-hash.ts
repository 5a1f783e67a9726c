import { hash } from 'node:crypto';
import type { AuditEntry } from '../contract/access.ts';

/** What the hash of an entry is of. `at` in milliseconds; `before` and `after` as JSON text, null: nothing. */
export interface HashedEntry {
  readonly n: number;
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly role: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** SHA-256, Base64, of an entry of the audit log and of the hash before it. Before the first of a chain stands the empty text. */
export const auditHash = (before: string | null, row: HashedEntry): string =>
  hash(
    'sha256',
    `${before ?? ''}\n${JSON.stringify([row.n, row.id, row.at, row.actor, row.role, row.address, row.action, row.target, row.before, row.after])}`,
    'base64',
  );

/** An entry as answers and exports have it. */
export const hashedEntry = (entry: AuditEntry): HashedEntry => ({
  ...entry,
  n: entry.number,
  at: Date.parse(entry.at),
  before: entry.before === null ? null : JSON.stringify(entry.before),
  after: entry.after === null ? null : JSON.stringify(entry.after),
});
