import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A fresh secret of 256 bits: the prefix, then letters and digits alone, so that a double click selects it. */
export function makeSecret(prefix: string): string {
  return prefix + randomBytes(33).toString('base64url').replaceAll('-', 'a').replaceAll('_', 'b').slice(0, 43);
}

/** How a secret is kept. */
export const secretDigest = (secret: string): string => hash('sha256', secret, 'base64');

/** The part of a secret that people may see and tell it by. */
export const visiblePrefix = (secret: string): string => secret.slice(0, secret.indexOf('_') + 7);

const nobody = Buffer.alloc(44, '=').toString('latin1');

/**
 * Finds the entry of a secret by its digest. The time it takes says nothing about the secrets kept: the table is asked
 * for a digest, not for the secret, and the digest found (or a stand-in) is compared in constant time.
 */
export function findBySecret<T>(table: ReadonlyMap<string, T>, secret: string): T | null {
  return findByDigest(table, secretDigest(secret));
}

export function findByDigest<T>(table: ReadonlyMap<string, T>, digest: string): T | null {
  const entry = table.get(digest);
  const same = timingSafeEqual(
    Buffer.from(digest, 'latin1'),
    Buffer.from(entry === undefined ? nobody : digest, 'latin1'),
  );
  return same && entry !== undefined ? entry : null;
}
