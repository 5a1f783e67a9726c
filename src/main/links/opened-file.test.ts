import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_FILE_BYTES } from '../../contract/desktop.ts';
import { createPendingItems, readOpenedFile } from './opened-file.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const folder = temporaryFolder('opened');
const fileOf = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('a file is read whole, to the byte, and named without its folder', async () => {
  const bytes = Uint8Array.from([31, 139, 0, 255]);
  expect(await readOpenedFile(fileOf('night.yardmaster-incident', bytes))).toEqual({
    kind: 'incident',
    name: 'night.yardmaster-incident',
    bytes,
  });
  expect(await readOpenedFile(fileOf('Shout.Workflow.JSON', '{}'))).toMatchObject({
    kind: 'workflow',
    name: 'Shout.Workflow.JSON',
  });
  for (const copy of ['shout.workflow (1).json', 'shout.workflow - Copy.json', 'shout.workflow copy 2.json'])
    expect(await readOpenedFile(fileOf(copy, '{}'))).toMatchObject({ kind: 'workflow', name: copy });
  expect((await readOpenedFile(fileOf('empty.workflow.json', ''))).bytes).toHaveLength(0);
});

test('what is of another kind, too large, no file or not there is refused with a reason', async () => {
  await expect(readOpenedFile(fileOf('notes.json', '{}'))).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
  const large = fileOf('large.workflow.json', '');
  truncateSync(large, MAX_FILE_BYTES.workflow + 1);
  await expect(readOpenedFile(large)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  mkdirSync(join(folder, 'folder.workflow.json'));
  await expect(readOpenedFile(join(folder, 'folder.workflow.json'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  await expect(readOpenedFile(join(folder, 'gone.workflow.json'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
});

test('what waits is taken once: the last file, and every notice', () => {
  const waiting = createPendingItems();
  const file = (name: string) => ({ kind: 'workflow' as const, name, bytes: new Uint8Array() });
  waiting.setFile(file('a'));
  waiting.setFile(file('b'));
  waiting.addNotice({ title: 'one', message: '', failed: false });
  expect(waiting.takeAll()).toEqual({ file: file('b'), notices: [{ title: 'one', message: '', failed: false }] });
  expect(waiting.takeAll()).toEqual({ file: null, notices: [] });
});
