import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './errors.ts';
import type { LocalFile } from '../contract/process.ts';

export const LOCAL_FILE = 'local.json';

/** What a local master left about itself in its data folder, or null where none runs. The file of one that was killed is told by its process. */
export function readLocalFile(folder: string): LocalFile | null {
  try {
    const local: LocalFile = JSON.parse(readFileSync(join(folder, LOCAL_FILE), 'utf8'));
    return isRunning(local.pid) ? local : null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as somebody else.
    return errorCode(error) === 'EPERM';
  }
}
