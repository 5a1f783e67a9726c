import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Fault } from '../lib/fault.ts';
import { refuseClusterFolder } from './cluster/identity.ts';
import { copyToFolder } from './cluster/store-copy/copy-to-folder.ts';
import { copyToPostgres, type StoreCopied } from './cluster/store-copy/copy-to-postgres.ts';
import { openKeyring } from './secrets/keyring.ts';
import { lockDataFolder } from './startup/lock.ts';

/** What was copied, and how many secrets stand in it, which only the key of `YARDMASTER_SECRETS_KEY` opens. */
export interface StoreCopyReport extends StoreCopied {
  readonly secrets: number;
}

export interface StoreCopyChoices {
  /** A data folder, or `postgres://…`; one of the two is each. */
  readonly from: string;
  readonly to: string;
  /** `YARDMASTER_SECRETS_KEY`. */
  readonly secretsKey: string | null;
  /** Where the masters keep snapshots; null: in PostgreSQL. */
  readonly snapshots: string | null;
}

const isPostgres = (store: string): boolean => /^postgres(ql)?:\/\//.test(store);

/**
 * Copies the state of a single master (a data folder) into PostgreSQL, or back: `yardmaster store copy`. The source stays as
 * it is.
 *
 * @param newest the newest schema that this program knows
 */
export async function copyStore(
  { from, to, secretsKey, snapshots }: StoreCopyChoices,
  newest: number,
  log: (line: string) => void,
): Promise<StoreCopyReport> {
  if (isPostgres(from) === isPostgres(to))
    throw new Fault(
      'USAGE',
      'one of --from and --to must be a data folder, the other a postgres://user@host/database URL',
    );
  const folder = isPostgres(from) ? to : from;
  if (secretsKey === null)
    throw new Fault(
      'SECRETS_KEY_INVALID',
      isPostgres(to)
        ? `masters that share PostgreSQL need YARDMASTER_SECRETS_KEY: set it to what ${join(folder, 'secrets.key')} holds, or where the folder has no secrets to a new key (\`openssl rand -base64 32\`)`
        : 'set YARDMASTER_SECRETS_KEY to the key of the cluster',
    );
  if (isPostgres(from)) {
    const copied = await copyToFolder(from, to, secretsKey, snapshots, log);
    return { ...copied, secrets: secretsIn(join(folder, 'yardmaster.db')).length };
  }
  const file = join(folder, 'yardmaster.db');
  if (!existsSync(file))
    throw new Fault('MASTER_NOT_FOUND', `data folder ${folder} contains no database: name another one with --from`);
  const lock = lockDataFolder(folder);
  try {
    refuseClusterFolder(folder);
    const secrets = secretsIn(file);
    const keyring = openKeyring('', secretsKey);
    const closed = [...new Set(secrets.filter((id) => !keyring.has(id)))];
    if (closed.length > 0)
      throw new Fault(
        'SECRETS_KEY_INVALID',
        `YARDMASTER_SECRETS_KEY does not open the secrets of ${folder} (key ${closed.join(', ')}): set it to what ${join(folder, 'secrets.key')} holds`,
      );
    return { ...(await copyToPostgres(folder, to, secretsKey, newest)), secrets: secrets.length };
  } finally {
    lock.release();
  }
}

/** The IDs of the keys that the secrets of a database are sealed with, one for each. */
function secretsIn(file: string): string[] {
  const db = new Database(file, { readonly: true });
  try {
    if (!db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'secret'").get()) return [];
    return db
      .prepare<[], { key_id: string }>('SELECT key_id FROM secret')
      .all()
      .map((row) => row.key_id);
  } finally {
    db.close();
  }
}
