import { isRecord } from '../../../lib/is-record.ts';
import type { Cipher } from '../../secrets/port.ts';

/** What a session keeps of its provider, encrypted. */
export interface Kept {
  readonly refreshToken: string | null;
  /** Says at sign-out whose session is meant; left out where it is large. */
  readonly idToken: string | null;
}

const NAME = 'session of a provider';
const ID_TOKEN_CHARACTERS = 8192;

/** Null: there is nothing to keep, or nothing to encrypt with: the session then is not confirmed again. */
export function seal(cipher: Cipher | null, { refreshToken, idToken }: Kept): string | null {
  const kept: Kept = {
    refreshToken,
    idToken: idToken !== null && idToken.length <= ID_TOKEN_CHARACTERS ? idToken : null,
  };
  if (cipher === null || (kept.refreshToken === null && kept.idToken === null)) return null;
  try {
    const { keyId, nonce, box } = cipher.encrypt(NAME, JSON.stringify(kept));
    return [keyId, ...[nonce, box].map((bytes) => Buffer.from(bytes).toString('base64'))].join('.');
  } catch {
    return null;
  }
}

export function unseal(cipher: Cipher | null, sealed: string | null): Kept | null {
  const [keyId, nonce, box] = sealed?.split('.') ?? [];
  if (cipher === null || keyId === undefined || nonce === undefined || box === undefined) return null;
  const text = cipher.decrypt(NAME, {
    keyId,
    nonce: Buffer.from(nonce, 'base64'),
    box: Buffer.from(box, 'base64'),
  });
  if (text === null) return null;
  const kept: unknown = JSON.parse(text);
  const member = (name: string) => (isRecord(kept) && typeof kept[name] === 'string' ? kept[name] : null);
  return { refreshToken: member('refreshToken'), idToken: member('idToken') };
}
