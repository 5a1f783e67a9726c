import type { NamedSecret } from '../../lib/redact.ts';
import type { ReadHandle } from '../store/port.ts';
import { openKeyring } from './keyring.ts';

interface SealedRow {
  name: string;
  key_id: string;
  nonce: Uint8Array;
  box: Uint8Array;
}

/**
 * The secrets that stand in a copy of the database, for what is shown of it. Gives null where they are those of the last
 * call: each value is sealed with a nonce of its own, so other nonces mean other values.
 *
 * @param givenKeys `YARDMASTER_SECRETS_KEY`
 */
export function createSecretsReader(read: ReadHandle, givenKeys: string): () => readonly NamedSecret[] | null {
  const keyring = openKeyring('', givenKeys);
  let last: string | null = null;
  return () => {
    const found = read
      .query<{ seen: string | null }>("SELECT group_concat(name || hex(nonce), ',') AS seen FROM secret")
      .get();
    const seen = found?.seen ?? '';
    if (seen === last) return null;
    const rows = read.query<SealedRow>('SELECT name, key_id, nonce, box FROM secret ORDER BY name').all();
    last = seen;
    return rows.flatMap(({ name, key_id: keyId, nonce, box }) => {
      try {
        return [{ name, value: keyring.decrypt(name, { keyId, nonce, box }) }];
      } catch {
        // Sealed with a key that no master has: nobody can have put its value anywhere.
        return [];
      }
    });
  };
}
