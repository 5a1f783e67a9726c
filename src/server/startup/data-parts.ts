import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../lib/fault.ts';
import { isRecord } from '../../lib/is-record.ts';
import { writePrivate } from './local-files.ts';

/** What a data folder is made of, for people, and where it lies. */
const PARTS = {
  database: 'yardmaster.db',
  logs: 'logs',
  metrics: join('metrics', 'head.db'),
  'log pipeline': 'pipeline',
} as const;
type Part = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as readonly Part[];

const MANIFEST = 'parts.json';

/**
 * Refuses a data folder that lacks one of its parts: an empty database beside the logs of another would be a new master
 * that has lost every job, and nobody would notice. Which parts there are is kept in the folder; where that is not known
 * (a folder of an earlier version), nothing may stand there without its database. Throws DATA_INCOMPLETE, unless `adopt`
 * says to go on with what is left.
 */
export function checkDataParts(folder: string, adopt: boolean, log: (line: string) => void): void {
  const there = NAMES.filter((part) => isThere(folder, part));
  const expected =
    knownParts(folder) ?? (NAMES.some((part) => hasContent(folder, part)) ? (['database'] as const) : []);
  const missing = expected.filter((part) => !there.includes(part));
  if (missing.length === 0) return;
  const what = `the data folder ${folder} lacks its ${missing.map((part) => `${part} (${PARTS[part]})`).join(', ')}, but has ${there.length > 0 ? there.join(', ') : 'been in use'}`;
  if (!adopt)
    throw new Fault(
      'DATA_INCOMPLETE',
      `${what}. Put it back, restore a backup into a new folder (\`yardmaster restore\`), or start with --adopt to go on without it`,
    );
  log(`${what}; going on without it, as --adopt says`);
}

/** Keeps which parts the folder has, once all are open. */
export function recordDataParts(folder: string): void {
  writePrivate(join(folder, MANIFEST), { version: 1, parts: NAMES.filter((part) => isThere(folder, part)) });
}

/** Null: not known, or not readable. */
function knownParts(folder: string): Part[] | null {
  try {
    const kept: unknown = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
    if (!isRecord(kept) || !Array.isArray(kept['parts'])) return null;
    const { parts } = kept;
    return NAMES.filter((part) => parts.includes(part));
  } catch {
    return null;
  }
}

/** The folder of the logs is there before the first line. */
const isThere = (folder: string, part: Part): boolean =>
  hasContent(folder, part) || (part === 'logs' && existsSync(join(folder, PARTS[part])));

/** An empty file is no database: SQLite makes one before it writes to it. An empty folder may be a volume that was just mounted. */
function hasContent(folder: string, part: Part): boolean {
  const path = join(folder, PARTS[part]);
  try {
    const found = statSync(path);
    return found.isDirectory() ? readdirSync(path).some((name) => name !== 'lost+found') : found.size > 0;
  } catch {
    return false;
  }
}
