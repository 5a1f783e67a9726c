import { copyFileSync, existsSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { basename } from 'node:path';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { ReportDamage } from '../../observability/port.ts';
import { readWal, type WalDamage, type WalState } from './wal.ts';

/** The clock of the machine may have been set since it started. */
const CLOCK_MS = 10_000;

/**
 * Before SQLite opens a database: nothing that was committed may be missing from its log. Where the machine has run ever
 * since it was written, no power failure explains what is wrong with it: STORE_CORRUPT, and nothing is changed. Where it
 * was started since, commits that were never synced may be torn, so the master starts, keeps a copy, and tells of it.
 * Returns the log as it is.
 */
export function checkWal(
  file: string,
  report: ReportDamage,
  startedAt = Date.now() - uptime() * 1000,
): WalState | null {
  // A log without its database is of no use to anybody.
  const state = existsSync(file) ? readWal(file) : null;
  if (!state?.damage) return state;
  const { damage } = state;
  const log = `${file}-wal`;
  const written = existsSync(log) ? statSync(log).mtimeMs : null;
  const what = describeWalDamage(damage, written !== null);
  if (written === null || written >= startedAt - CLOCK_MS)
    throw new Fault(
      'STORE_CORRUPT',
      `the write-ahead log ${log} ${what}: opening the database would lose acknowledged data, so nothing was opened or changed. Run yardmaster repair, which restores what it can, lists what it cannot, and keeps the damaged file`,
    );
  const copy = `${log}.damaged-${Math.floor(written)}`;
  let kept = `a copy is in ${basename(copy)}`;
  try {
    if (!existsSync(copy)) copyFileSync(log, copy);
  } catch (error) {
    kept = `no copy could be made (${errorMessage(error)})`;
  }
  report({
    part: 'database',
    file: basename(log),
    place: `wal ${Math.floor(written)}`,
    what: `the write-ahead log ${what}; the machine was restarted since, so a power failure may have torn what was not synced. What was written last may be missing; ${kept}`,
    from: null,
    to: Math.floor(written),
    lost: null,
    keep: true,
  });
  return state;
}

/** What is wrong with a log, after "the write-ahead log". */
export function describeWalDamage({ at, frames, commits }: WalDamage, isThere: boolean): string {
  if (!isThere) return 'is missing';
  const many = commits ?? 0;
  const behind =
    many > 0 ? `${many} ${many === 1 ? 'commit' : 'commits'}` : frames === null ? 'commits' : `${frames} pages`;
  return `is damaged at byte ${at}, with ${behind} behind it`;
}
