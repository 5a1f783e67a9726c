import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../store/sqlite/open.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

let template: Promise<string> | null = null;

/** The path of a database in a folder of its own: a copy of one that was made once, as migrations take longer than most of what is tested with it. */
export async function emptyDatabase(prefix: string, name = 'yardmaster.db'): Promise<string> {
  const file = join(temporaryFolder(prefix.replace(/-$/, '')), name);
  await ensureDatabase(file);
  return file;
}

/** The same at a path where there may be one, which stays as it is. */
export async function ensureDatabase(file: string): Promise<void> {
  template ??= (async () => {
    const made = join(temporaryFolder('ym-template'), 'template.db');
    await openSqlite({ file: made, durability: 'normal' }).close();
    return made;
  })();
  if (!existsSync(file)) copyFileSync(await template, file);
}
