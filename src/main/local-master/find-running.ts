import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalFile } from '../../contract/process.ts';

/** Does a master answer there? */
export async function isHealthy(url: string, milliseconds = 2000): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(milliseconds) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** The master that lives on this data folder, started by someone else; null: none. */
export async function findRunningMaster(folder: string): Promise<LocalFile | null> {
  try {
    const local = JSON.parse(readFileSync(join(folder, 'local.json'), 'utf8')) as LocalFile;
    process.kill(local.pid, 0);
    return (await isHealthy(local.url)) ? local : null;
  } catch {
    return null;
  }
}
