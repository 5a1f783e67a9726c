import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Of a pipeline's folder. */
export const QUEUE = 'queue';
export const DEAD_LETTERS = 'dead-letters.ndjson';

/**
 * Hands what pipelines left that do not run any more (there are fewer of them than before) to the first one: their batches,
 * under the names and so the ids that they have, and their dead letters, of which each id counts once. A kill in between
 * leaves the rest for the next start. To be called before any pipeline is opened.
 */
export function takeOverOrphans(folder: string, replicas: number, log: (line: string) => void): void {
  if (!existsSync(folder)) return;
  const left = readdirSync(folder).filter((name) => /^\d+$/.test(name) && Number(name) >= replicas);
  for (const name of left) {
    const from = join(folder, name);
    const to = join(folder, '0');
    mkdirSync(join(to, QUEUE), { recursive: true, mode: 0o700 });
    const batches = existsSync(join(from, QUEUE)) ? readdirSync(join(from, QUEUE)) : [];
    for (const batch of batches) renameSync(join(from, QUEUE, batch), join(to, QUEUE, batch));
    const letters = join(from, DEAD_LETTERS);
    if (existsSync(letters))
      appendFileSync(join(to, DEAD_LETTERS), `\n${readFileSync(letters, 'utf8')}`, { mode: 0o600 });
    rmSync(from, { recursive: true, force: true });
    if (batches.length > 0)
      log(
        `log pipeline ${name} is no longer used: its ${batches.length} remaining batches were moved to the first pipeline`,
      );
  }
}
