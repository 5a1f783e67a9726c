import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { errorCode } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';

/** What others, or the group, may do. */
const OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * From now on this process makes files and folders for its own user alone. What it set aside goes to the workers, whose
 * handlers may write for others. A thread cannot change it for the process, and need not: the process has.
 */
export function keepFilesPrivate(): void {
  if (!isMainThread) return;
  process.env['YARDMASTER_WORKER_UMASK'] ??= process.umask(OTHERS).toString(8);
}

/**
 * Takes a data folder that exists from the group and from others. Where the system does not allow that (a mounted folder of
 * another owner), what lies in it is taken from them one by one. Throws DATA_FOLDER_OPEN where they could still read.
 */
export function tightenFolder(folder: string, log: (line: string) => void): void {
  // Windows has lists of rights instead; the folders of a user are the user's own.
  if (process.platform === 'win32') return;
  const { mode } = statSync(folder);
  if ((mode & OTHERS) === 0) return;
  const was = (mode & 0o7777).toString(8).padStart(4, '0');
  if ((mode & STICKY) !== 0)
    throw new Fault(
      'DATA_FOLDER_OPEN',
      `the data folder ${folder} is one that everyone shares (mode ${was}): set a folder in it with --data`,
    );
  try {
    chmodSync(folder, mode & 0o7700);
    log(
      `the data folder ${folder} was open to other users of this machine (mode ${was}): now only its owner can use it`,
    );
    return;
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw refused(folder, was, error);
  }
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = lstatSync(path);
    if (found.isSymbolicLink() || (found.mode & OTHERS) === 0) continue;
    try {
      chmodSync(path, found.mode & 0o7700);
    } catch (error) {
      throw refused(path, (found.mode & 0o7777).toString(8).padStart(4, '0'), error);
    }
  }
  log(
    `warning: the data folder ${folder} has another owner and is open to other users of this machine (mode ${was}): what is in it is not`,
  );
}

const refused = (path: string, mode: string, cause: unknown): Fault =>
  new Fault(
    'DATA_FOLDER_OPEN',
    `other users of this machine can read ${path} (mode ${mode}), and its mode cannot be changed (${errorCode(cause) ?? String(cause)}): run \`chmod go-rwx\` on it as its owner, or set another folder with --data`,
    { cause },
  );
