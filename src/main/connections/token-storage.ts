import { safeStorage } from 'electron';

/** A token at rest. `system`: encrypted by the system's key store; `plain`: as it is, after the user agreed. */
export interface StoredToken {
  kind: 'system' | 'plain';
  value: string;
}

export interface TokenStorage {
  /** False where the system has no key store. */
  isEncrypted(): boolean;
  /** Null: it may not be kept, and lives for this run alone. */
  encrypt(token: string, allowPlain: boolean): StoredToken | null;
  /** Null: it cannot be read any more (another user, another key store). */
  decrypt(secret: StoredToken): string | null;
}

/** On Linux without a key store Electron "encrypts" with a key that is built in (`basic_text`): that counts as none. */
export function systemTokenStorage(): TokenStorage {
  const encrypted = () =>
    safeStorage.isEncryptionAvailable() &&
    (process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text');
  return {
    isEncrypted: encrypted,
    encrypt(token, allowPlain) {
      if (encrypted()) return { kind: 'system', value: safeStorage.encryptString(token).toString('base64') };
      return allowPlain ? { kind: 'plain', value: token } : null;
    },
    decrypt(secret) {
      if (secret.kind === 'plain') return secret.value;
      try {
        return safeStorage.decryptString(Buffer.from(secret.value, 'base64'));
      } catch {
        return null;
      }
    },
  };
}
