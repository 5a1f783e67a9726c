import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './problem.mjs';

/**
 * The private key (PEM, Ed25519) that signs update feeds: the file that YARDMASTER_UPDATE_KEY names, else
 * `update-key.pem` in `dist`, made where it is missing. The app holds its public half and takes no update without it.
 */
export function updateKey(dist, log, given = process.env.YARDMASTER_UPDATE_KEY) {
  const file = given || join(dist, 'update-key.pem');
  if (!given && !existsSync(file)) {
    mkdirSync(dist, { recursive: true });
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
    log(
      `Made a key that signs updates: ${file}. Keep it: an app takes only updates signed with the key it was built with.`,
    );
  }
  let key;
  try {
    key = createPrivateKey(readFileSync(file));
  } catch (error) {
    throw new Problem(
      `The key that signs updates cannot be read: ${file} (${error.message}).`,
      'Expected a PEM file with an Ed25519 private key.',
    );
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Problem(
      `The key that signs updates is of the wrong kind: ${file}.`,
      `Expected Ed25519, got ${key.asymmetricKeyType}.`,
    );
  return {
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** The signature, in Base64, that the app expects in `NAME.sig` (src/main/updates/signature.ts). */
export const signFeed = (name, feed, privateKey) =>
  sign(null, Buffer.from(`${name}\n${feed}`), createPrivateKey(privateKey)).toString('base64');
