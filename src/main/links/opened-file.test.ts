import { mkdirSync, mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MOST_FILE_BYTES } from '../../contract/desktop.ts';
import { createWaiting, readOpened } from './opened-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'opened-'));
const fileOf = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('a file is read whole, to the byte, and named without its folder', async () => {
  const bytes = Uint8Array.from([31, 139, 0, 255]);
  expect(await readOpened(fileOf('night.yardmaster-incident', bytes))).toEqual({
    kind: 'incident',
    name: 'night.yardmaster-incident',
    bytes,
  });
  expect(await readOpened(fileOf('Shout.Workflow.JSON', '{}'))).toMatchObject({
    kind: 'workflow',
    name: 'Shout.Workflow.JSON',
  });
  for (const copy of ['shout.workflow (1).json', 'shout.workflow - Copy.json', 'shout.workflow copy 2.json'])
    expect(await readOpened(fileOf(copy, '{}'))).toMatchObject({ kind: 'workflow', name: copy });
  expect((await readOpened(fileOf('empty.workflow.json', ''))).bytes).toHaveLength(0);
});

test('what is of another kind, too large, no file or not there is refused with a reason', async () => {
  await expect(readOpened(fileOf('notes.json', '{}'))).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
  const large = fileOf('large.workflow.json', '');
  truncateSync(large, MOST_FILE_BYTES.workflow + 1);
  await expect(readOpened(large)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  mkdirSync(join(folder, 'folder.workflow.json'));
  await expect(readOpened(join(folder, 'folder.workflow.json'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  await expect(readOpened(join(folder, 'gone.workflow.json'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
});

test('what waits is taken once: the last file, and every notice', () => {
  const waiting = createWaiting();
  const file = (name: string) => ({ kind: 'workflow' as const, name, bytes: new Uint8Array() });
  waiting.put(file('a'));
  waiting.put(file('b'));
  waiting.say({ title: 'one', message: '', failed: false });
  expect(waiting.take()).toEqual({ file: file('b'), notices: [{ title: 'one', message: '', failed: false }] });
  expect(waiting.take()).toEqual({ file: null, notices: [] });
});
