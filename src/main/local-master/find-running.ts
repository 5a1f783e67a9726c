import type { LocalFile } from '../../contract/process.ts';
import { proveLocalMaster } from '../../lib/proof.ts';
import { readLocalFile } from '../../lib/local-file.ts';

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
  const local = readLocalFile(folder);
  if (local === null) return null;
  // Whoever took the port of a master that was killed gets no token.
  return proveLocalMaster(local).then(
    () => local,
    () => null,
  );
}
