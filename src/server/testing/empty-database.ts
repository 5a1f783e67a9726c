import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../store/sqlite/open.ts';

let template: Promise<string> | null = null;

/** The path of a database in a folder of its own: a copy of one that was made once, as migrations take longer than most of what is tested with it. */
export async function emptyDatabase(prefix: string, name = 'yardmaster.db'): Promise<string> {
  template ??= (async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'ym-template-')), 'template.db');
    await openSqlite({ file, durability: 'normal' }).close();
    return file;
  })();
  const copy = join(mkdtempSync(join(tmpdir(), prefix)), name);
  copyFileSync(await template, copy);
  return copy;
}
