import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../store/sqlite/open.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

let template: Promise<string> | null = null;

/** The path of a database in a folder of its own: a copy of one that was made once, as migrations take longer than most of what is tested with it. */
export async function emptyDatabase(prefix: string, name = 'yardmaster.db'): Promise<string> {
  template ??= (async () => {
    const file = join(temporaryFolder('ym-template'), 'template.db');
    await openSqlite({ file, durability: 'normal' }).close();
    return file;
  })();
  const copy = join(temporaryFolder(prefix.replace(/-$/, '')), name);
  copyFileSync(await template, copy);
  return copy;
}
