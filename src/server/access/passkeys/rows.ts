import type { Passkey } from '../../../contract/passkeys.ts';
import { iso, isoOrNull } from '../../../lib/clock.ts';
import { parseStored } from '../../../lib/json.ts';
import type { ReadHandle, WriteHandle } from '../../store/port.ts';
import type { KnownCredential } from './ceremony.ts';

export interface PasskeyRow {
  readonly id: string;
  readonly user_id: string;
  readonly credential_id: string;
  readonly public_key: Uint8Array;
  readonly host: string;
  readonly name: string;
  readonly counter: number;
  readonly transports: string;
  readonly synced: number;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly copied_at: number | null;
}

export const passkeysOf = (db: ReadHandle, userId: string): PasskeyRow[] =>
  db.query<PasskeyRow>('SELECT * FROM passkey WHERE user_id = ? ORDER BY id').all(userId);
export const passkeyOf = (db: ReadHandle, userId: string, id: string): PasskeyRow | undefined =>
  db.query<PasskeyRow>('SELECT * FROM passkey WHERE id = ? AND user_id = ?').get(id, userId);
export const byCredential = (db: ReadHandle, credentialId: string): PasskeyRow | undefined =>
  db.query<PasskeyRow>('SELECT * FROM passkey WHERE credential_id = ?').get(credentialId);

export const viewOf = (row: PasskeyRow): Passkey => ({
  ...{ id: row.id, name: row.name, host: row.host, synced: row.synced === 1 },
  ...{ createdAt: iso(row.created_at), lastUsedAt: isoOrNull(row.last_used_at), copiedAt: isoOrNull(row.copied_at) },
});

export const credentialOf = (row: PasskeyRow): KnownCredential => ({
  credentialId: row.credential_id,
  transports: parseStored<string[]>(row.transports),
});

/** As the audit log shows one. */
export const notedOf = ({ id, name, host }: PasskeyRow) => ({ passkey: id, name, host });

/** Inside a transaction: a new password ends what the old one may have let in. */
export const removeAllPasskeys = (db: WriteHandle, userId: string): number =>
  db.statement('DELETE FROM passkey WHERE user_id = ?').run(userId);
