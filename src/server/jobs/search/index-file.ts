import Database from 'better-sqlite3';
import { hash, randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { itemAt } from '../../../lib/item-at.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { Terms } from './terms.ts';

/** The schema; another number makes the index anew. */
const VERSION = 2;
/**
 * `doc`: an inverted index, one document for each job, its row id the job's `seq`. Its words are tokens, never texts of
 * users: values are hashed with the salt, so nobody can make two of them meet. `indexed`: what is complete.
 */
const SCHEMA = `
CREATE VIRTUAL TABLE doc USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE TABLE indexed (one INTEGER PRIMARY KEY CHECK (one = 1), salt TEXT NOT NULL, seq INTEGER NOT NULL, job_id TEXT, created_at INTEGER, swept INTEGER NOT NULL) STRICT;
PRAGMA user_version = ${VERSION};`;

/** Up to which job the index is complete, and the salt of its tokens. */
export interface IndexState {
  salt: string;
  seq: number;
  job_id: string | null;
  created_at: number | null;
  /** Jobs up to this one were last looked for, to drop those that are no more. */
  swept: number;
}

/**
 * Opens the index for writing. It holds nothing that cannot be made again: where it is missing, damaged, of another
 * version or of another database (`belongs` says no), a new one is begun.
 */
export function openIndex(file: string, belongs: (indexed: IndexState) => boolean): Database.Database {
  try {
    if (existsSync(file)) {
      const db = prepared(file);
      const known = db.pragma('user_version', { simple: true }) === VERSION ? readIndexed(db) : null;
      if (known && belongs(known)) return db;
      db.close();
    }
  } catch {
    // Made anew, below.
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const db = prepared(file);
  db.exec(SCHEMA);
  db.prepare('INSERT INTO indexed (one, salt, seq, swept) VALUES (1, ?, 0, 0)').run(randomBytes(12).toString('hex'));
  return db;
}

function prepared(file: string): Database.Database {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  // It can be made again: a power cut may cost its last moments.
  db.pragma('synchronous = OFF');
  db.pragma('busy_timeout = 5000');
  db.pragma('cache_size = -2048');
  return db;
}

const readIndexed = (db: Database.Database): IndexState | null =>
  db.prepare<[], IndexState>('SELECT salt, seq, job_id, created_at, swept FROM indexed').get() ?? null;

/** The state of the index, from a handle that has it attached as `search`. */
export const readIndexState = (read: ReadHandle): IndexState =>
  itemAt(read.query<IndexState>('SELECT salt, seq, job_id, created_at, swept FROM search.indexed').all(), 0);

/** A token: letters and digits alone, so that the tokenizer leaves it whole. 60 bits of a salted hash. */
export const tokenOf = (salt: string, kind: 'field' | 'word' | 'label' | 'key' | 'path', value: string): string =>
  hash('sha1', `${salt}${kind}${value}`, 'hex').slice(0, 15);

/** The document of a job. */
export function documentOf(salt: string, terms: Terms, labels: Readonly<Record<string, string>>): string {
  const tokens: string[] = [];
  for (const field of terms.fields) tokens.push(tokenOf(salt, 'field', field));
  for (const path of terms.paths) tokens.push(tokenOf(salt, 'path', path));
  for (const word of terms.words) tokens.push(tokenOf(salt, 'word', word));
  for (const [key, value] of Object.entries(labels))
    tokens.push(tokenOf(salt, 'key', key), tokenOf(salt, 'label', `${key}=${value}`));
  return tokens.join(' ');
}
