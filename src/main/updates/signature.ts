import { createPublicKey, verify } from 'node:crypto';

/** What is signed of an update feed: its name as well, so that the feed of one system does not pass for that of another. */
export const signedBytes = (name: string, feed: string): Buffer => Buffer.from(`${name}\n${feed}`);

/**
 * Throws unless `signature` (Base64, Ed25519) was made for this feed by whoever holds the private key to `publicKey` (PEM).
 * The feed holds the checksums of the packages, so that they are covered too.
 */
export function verifyFeed(name: string, feed: string, signature: string | null, publicKey: string): void {
  if (signature === null || signature.trim() === '')
    throw new Error(`${name} is not signed: expected its signature in ${name}.sig`);
  const bytes = Buffer.from(signature.trim(), 'base64');
  if (!verify(null, signedBytes(name, feed), createPublicKey(publicKey), bytes))
    throw new Error(`${name} was not signed with the key of this app: nothing from this update folder is installed`);
}
