import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { iso, type Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { parseStored } from '../../../lib/json.ts';
import type { ReadHandle, Store } from '../../store/port.ts';
import type { LinkPurpose, OpenedLink, Waits } from './port.ts';

const BYTES = 32;
const STORED_KEY = 'SELECT key FROM link_signing WHERE id = 1';

interface Signed extends OpenedLink {
  readonly until: number;
}

/**
 * One-time links for people without an account. A link carries all that it is for, signed with a key that all masters of a
 * cluster share, so making one writes nothing. That it works once is up to what it does: an approval is decided once, and a
 * signal is sent under the link's own key.
 */
export function createLinks({ store, clock }: { store: Store; clock: Pick<Clock, 'now'> }): Waits['links'] {
  let key: Promise<Buffer> | null = null;
  const stored = (db: ReadHandle) => db.query<{ key: Uint8Array }>(STORED_KEY).get()?.key;
  async function findOrMake(): Promise<Buffer> {
    const made = randomBytes(BYTES);
    const found =
      stored(store.read) ??
      (await store.write((db) => {
        db.statement('INSERT OR IGNORE INTO link_signing (id, key) VALUES (1, ?)').run(made);
        return stored(db);
      }));
    return Buffer.from(found ?? made);
  }
  async function sign(text: string): Promise<Buffer> {
    key ??= findOrMake().catch((error: unknown) => {
      key = null;
      throw error;
    });
    return createHmac('sha256', await key)
      .update(text)
      .digest();
  }
  const invalid = () =>
    new Fault('LINK_INVALID', 'the link is invalid or has expired: ask whoever sent it for a new one');

  return {
    async make(purpose: LinkPurpose, to, expiresAt) {
      const signed: Signed = { purpose, for: to, nonce: randomBytes(16).toString('base64url'), until: expiresAt };
      const text = Buffer.from(JSON.stringify(signed)).toString('base64url');
      return { path: `/respond/${text}.${(await sign(text)).toString('base64url')}`, expiresAt: iso(expiresAt) };
    },
    async open(token) {
      const [text = '', signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = await sign(text);
      if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) throw invalid();
      const signed = parseStored<Signed>(Buffer.from(text, 'base64url').toString());
      if (!isRecord(signed) || signed.until <= clock.now()) throw invalid();
      return signed;
    },
  };
}
