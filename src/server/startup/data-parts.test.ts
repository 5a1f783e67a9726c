import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../master.fixture.ts';

/** A data folder as a master leaves it. */
async function usedFolder(): Promise<string> {
  const data = join(temporaryFolder('parts'), 'data');
  await (await openMaster({ data })).close();
  return data;
}
const refused = (data: string) => expect(openMaster({ data })).rejects.toMatchObject({ code: 'DATA_INCOMPLETE' });

describe('a data folder that lacks one of its parts', () => {
  it.each([['yardmaster.db'], ['logs'], ['metrics'], ['pipeline']])('is not started as new: %s', async (part) => {
    const data = await usedFolder();
    for (const ending of ['', '-wal', '-shm']) rmSync(join(data, `${part}${ending}`), { recursive: true, force: true });
    await refused(data);
    await (await openMaster({ data, adopt: true })).close();
    await (await openMaster({ data })).close();
  });

  it('is not started with an empty database either', async () => {
    const data = await usedFolder();
    writeFileSync(join(data, 'yardmaster.db'), '');
    await refused(data);
  });

  it.each([['not JSON'], ['{"parts":7}'], [null]])('is known without its list, which says %s', async (text) => {
    const data = await usedFolder();
    if (text === null) rmSync(join(data, 'parts.json'));
    else writeFileSync(join(data, 'parts.json'), text);
    rmSync(join(data, 'yardmaster.db'));
    await refused(data);
  });
});

it('an empty folder, and one that a first start left at once, are new', async () => {
  const data = temporaryFolder('parts');
  writeFileSync(join(data, 'yardmaster.db'), '');
  // Also where volumes of their own are mounted in it.
  for (const name of ['code-cache', 'logs', join('logs', 'lost+found'), 'pipeline']) mkdirSync(join(data, name));
  await (await openMaster({ data })).close();
  expect(JSON.parse(readFileSync(join(data, 'parts.json'), 'utf8'))).toEqual({
    version: 1,
    parts: ['database', 'logs', 'metrics', 'log pipeline'],
  });
});

it('a folder of an earlier version is known from its next start on', async () => {
  const data = await usedFolder();
  rmSync(join(data, 'parts.json'));
  await (await openMaster({ data })).close();
  rmSync(join(data, 'metrics'), { recursive: true });
  await refused(data);
});
