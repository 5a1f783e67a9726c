import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { valueAt } from '../../lib/item-at.ts';
import { Fault } from '../../lib/fault.ts';
import { fsyncPath } from '../../lib/fsync-path.ts';

/** Keys of AES-256-GCM. The first one encrypts; all decrypt, so that a key can be replaced (docs/secrets.md). */
export interface Keyring {
  /** Id of the key that encrypts; null: there is none yet. */
  readonly currentKeyId: string | null;
  has(keyId: string): boolean;
  /** `name` is bound to the box: one that was moved to another name does not open. Makes the key file where there is none. */
  encrypt(name: string, value: string): Sealed;
  /** Throws where the box was changed. */
  decrypt(name: string, sealed: Sealed): string;
}

export interface Sealed {
  keyId: string;
  nonce: Uint8Array;
  /** Ciphertext, then the tag of 16 bytes. */
  box: Uint8Array;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keys from `given` (`YARDMASTER_SECRETS_KEY`) or else from the file: base64 or hex, one a line or with commas between.
 * Throws `SECRETS_KEY_INVALID` where a key is none.
 */
export function openKeyring(file: string, given: string | null): Keyring {
  const source = given === null ? file : 'YARDMASTER_SECRETS_KEY';
  const keys = new Map((given === null ? readKeys(file) : keysIn(given, source)).map((key) => [idOf(key), key]));
  let [current = null] = keys.keys();

  function keyToSeal(): string {
    if (current !== null) return current;
    const key = randomBytes(KEY_BYTES);
    writeKey(file, key);
    current = idOf(key);
    keys.set(current, key);
    return current;
  }

  return {
    get currentKeyId() {
      return current;
    },
    has: (keyId) => keys.has(keyId),
    encrypt(name, value) {
      const keyId = keyToSeal();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', valueAt(keys, keyId), nonce).setAAD(Buffer.from(name));
      const box = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { keyId, nonce, box };
    },
    decrypt(name, { keyId, nonce, box }) {
      const key = keys.get(keyId);
      if (!key) throw new Fault('SECRETS_LOCKED', `encryption key ${keyId} is missing`);
      const bytes = Buffer.from(box);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(0, -TAG_BYTES)).toString('utf8') + decipher.final('utf8');
    },
  };
}

/** A key is told by the digest of it, so that no list of ids has to be kept. */
const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 16);

function readKeys(file: string): Buffer[] {
  if (!existsSync(file)) return [];
  // Whoever copied it here may have opened it to others.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return keysIn(readFileSync(file, 'utf8'), file);
}

function keysIn(text: string, source: string): Buffer[] {
  return text
    .split(/[\s,]+/)
    .filter((one) => one !== '')
    .map((one) => {
      const key = Buffer.from(one, /^[0-9a-fA-F]{64}$/.test(one) ? 'hex' : 'base64');
      if (key.length !== KEY_BYTES)
        throw new Fault(
          'SECRETS_KEY_INVALID',
          `${source} contains a key of ${key.length} bytes; each key must have ${KEY_BYTES} bytes in base64 or hex. Create one with \`openssl rand -base64 32\``,
        );
      return key;
    });
}

/** On the disk for good before anything is encrypted with it. */
function writeKey(file: string, key: Buffer): void {
  const half = `${file}.${process.pid}.tmp`;
  const opened = openSync(half, 'w', 0o600);
  writeSync(opened, `${key.toString('base64')}\n`);
  fsyncSync(opened);
  closeSync(opened);
  renameSync(half, file);
  fsyncPath(dirname(file));
}
