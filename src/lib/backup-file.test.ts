import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type BackupHeader, checkBackup, headerBytes } from './backup-file.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

const content = Buffer.from('content');
const header = {
  format: 1,
  version: '1.2.3',
  schema: 7,
  createdAt: '2026-01-01T00:00:00.000Z',
  parts: [{ name: 'state.db', bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }],
  counts: { workflows: 1, versions: 1, jobs: 0, tasks: 0 },
  secrets: { count: 0, keyIds: [] },
} satisfies BackupHeader;

function fileWith(change: object): string {
  const file = join(temporaryFolder('backup-file'), 'file');
  writeFileSync(file, Buffer.concat([headerBytes({ ...header, ...change }), content]));
  return file;
}

it('takes a backup as it was written', async () => {
  expect((await checkBackup(fileWith({}))).header).toEqual(header);
});

it.each([
  { parts: undefined },
  { parts: [null] },
  { parts: [{ ...header.parts[0], bytes: -5 }] },
  { parts: [{ ...header.parts[0], name: '../../x' }] },
  { version: '\u001b]0;owned\u0007' },
  { createdAt: '2026\n' },
  { counts: {} },
  { secrets: { count: 0, keyIds: ['\u001b[2J'] } },
])('refuses the header of one that means harm: %j', async (change) => {
  await expect(checkBackup(fileWith(change))).rejects.toMatchObject({
    code: 'BACKUP_INVALID',
    message: expect.stringContaining('the header lacks something'),
  });
});

it('repeats nothing odd of one in another format', async () => {
  await expect(checkBackup(fileWith({ format: 2, version: '\u001b[2J' }))).rejects.toThrow('(unknown)');
});
