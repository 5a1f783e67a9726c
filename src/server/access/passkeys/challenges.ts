import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseStored } from '../../../lib/json.ts';
import type { ReadHandle, Store } from '../../store/port.ts';

/** What a challenge was given out for. */
export interface Begun {
  readonly purpose: 'sign-in' | 'first' | 'confirm' | 'add';
  /** Where the browser was. */
  readonly host: string;
  /** Whose; null: nobody has said yet. */
  readonly userId: string | null;
  /** What else must be the same when it is answered: the session, or the one-time password that it takes the place of. */
  readonly tie: string | null;
}

interface Held extends Begun {
  readonly challenge: string;
  readonly until: number;
}

const BYTES = 32;

/**
 * Challenges are held by the browser that asked for them, signed, in a cookie: asking for one writes nothing, whoever asks,
 * and any master of a cluster takes the answer, also after a failover. Answered ones are kept until they expire: each is
 * taken once, whatever comes of it.
 */
export function createChallenges({ store, clock, minutes }: { store: Store; clock: Clock; minutes(): number }) {
  let key: Promise<Buffer> | null = null;
  const stored = (db: ReadHandle) => db.query<{ key: Uint8Array }>('SELECT key FROM passkey_signing').get()?.key;
  const signingKey = (): Promise<Buffer> => {
    key ??= findOrMake().catch((error: unknown) => {
      key = null;
      throw error;
    });
    return key;
  };
  async function findOrMake(): Promise<Buffer> {
    const made = randomBytes(BYTES);
    const found =
      stored(store.read) ??
      (await store.write((db) => {
        db.statement('INSERT OR IGNORE INTO passkey_signing (id, key) VALUES (1, ?)').run(made);
        return stored(db);
      }));
    return Buffer.from(found ?? made);
  }
  const sign = async (text: string): Promise<Buffer> =>
    createHmac('sha256', await signingKey())
      .update(text)
      .digest();

  return {
    async begin(begun: Begun): Promise<{ challenge: Uint8Array<ArrayBuffer>; binding: string; milliseconds: number }> {
      const challenge = Uint8Array.from(randomBytes(BYTES));
      const milliseconds = minutes() * 60_000;
      const held: Held = {
        ...begun,
        challenge: Buffer.from(challenge).toString('base64url'),
        until: clock.now() + milliseconds,
      };
      const text = Buffer.from(JSON.stringify(held)).toString('base64url');
      return { challenge, binding: `${text}.${(await sign(text)).toString('base64url')}`, milliseconds };
    },

    /**
     * What it was given out for, with the challenge. `isExpected` says whether it fits who answers now. Throws PASSKEY_EXPIRED
     * where it does not, was not given out to this browser, or was answered before.
     */
    async take(
      binding: string | undefined,
      isExpected: (begun: Begun) => boolean,
    ): Promise<Begun & { readonly challenge: string }> {
      const [text = '', signature = ''] = binding?.split('.') ?? [];
      const [own, given] = [await sign(text), Buffer.from(signature, 'base64url')];
      if (own.length !== given.length || !timingSafeEqual(own, given)) throw expired();
      const held = parseStored<Held>(Buffer.from(text, 'base64url').toString());
      const now = clock.now();
      if (!isExpected(held) || now >= held.until) throw expired();
      const isFirst = await store.write((db) => {
        db.statement('DELETE FROM passkey_challenge WHERE until <= ?').run(now);
        return (
          db
            .statement('INSERT OR IGNORE INTO passkey_challenge (challenge, until) VALUES (?, ?)')
            .run(held.challenge, held.until) > 0
        );
      });
      if (!isFirst) throw expired();
      return held;
    },
  };
}

const expired = () =>
  new Fault(
    'PASSKEY_EXPIRED',
    'this was not begun in this browser, was answered already, or took too long: begin again',
  );
