import { parseStored } from '../../lib/json.ts';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { LocalFile } from '../../contract/process.ts';
import { LOCAL_FILE } from '../../lib/local-file.ts';

/** Secrets of the local master: made once, kept in the data folder for its owner alone, so that a restart changes none. */
export interface LocalSecrets {
  adminToken: string;
  workerToken: string;
  apiKey: string | null;
}

export function readSecrets(folder: string): LocalSecrets {
  try {
    return parseStored<LocalSecrets>(readFileSync(join(folder, 'secrets.json'), 'utf8'));
  } catch {
    const secrets = {
      adminToken: `ymt_${randomBytes(24).toString('base64url')}`,
      workerToken: `ymt_${randomBytes(24).toString('base64url')}`,
      apiKey: null,
    };
    writeSecrets(folder, secrets);
    return secrets;
  }
}

export function writeSecrets(folder: string, secrets: LocalSecrets): void {
  writePrivate(join(folder, 'secrets.json'), secrets);
}

/** Tells the command line and the desktop where this master is. Returns what takes the file away again. */
export function writeLocalFile(folder: string, local: LocalFile): () => void {
  const file = join(folder, LOCAL_FILE);
  writePrivate(file, local);
  return () => rmSync(file, { force: true });
}

/** Whole or not at all, readable by its owner alone. */
export function writePrivate(file: string, content: unknown): void {
  const half = `${file}.${process.pid}.tmp`;
  writeFileSync(half, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(half, 0o600);
  renameSync(half, file);
}
