import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Keeps what V8 compiles of the program in the data folder, for this process, its threads and the workers it starts: a start
 * takes a sixth less processor time. `NODE_COMPILE_CACHE` comes first, where it is set.
 */
export function keepCompiledCode(data: string, entry: string): void {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return;
  const folder = codeCacheFolder(data, entry);
  if (folder === null) return;
  process.env['NODE_COMPILE_CACHE'] = folder;
  enableCompileCache(folder);
}

/**
 * `<data>/code-cache/<build>`, made where it is missing; what another build left beside it goes. Null in a data folder that
 * is not there yet, or cannot be written: then nothing is kept, and the master says what is wrong with it.
 */
export function codeCacheFolder(data: string, entry: string): string | null {
  if (!existsSync(data)) return null;
  try {
    const { mtimeMs, size } = statSync(entry);
    const build = createHash('sha256')
      .update(`${entry} ${mtimeMs} ${size} ${process.version}`)
      .digest('hex')
      .slice(0, 16);
    const all = join(data, 'code-cache');
    mkdirSync(join(all, build), { recursive: true, mode: 0o700 });
    for (const name of readdirSync(all)) if (name !== build) rmSync(join(all, name), { recursive: true, force: true });
    return join(all, build);
  } catch {
    return null;
  }
}
