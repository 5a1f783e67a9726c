import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeCacheFolder } from './compile-cache.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';

it('compiled code is kept by build, and what an older build left goes', () => {
  const data = temporaryFolder('code-cache');
  const entry = join(data, 'cli.js');
  writeFileSync(entry, 'first');
  const first = codeCacheFolder(data, entry);
  expect(codeCacheFolder(data, entry)).toBe(first);
  utimesSync(entry, new Date(), new Date(Date.now() + 5000));
  const second = codeCacheFolder(data, entry);
  expect(second).not.toBe(first);
  expect(readdirSync(join(data, 'code-cache')).map((name) => join(data, 'code-cache', name))).toEqual([second]);
});

it('nothing is made in a data folder that is not there yet, and nothing fails in one that cannot be written', () => {
  const data = temporaryFolder('code-cache');
  expect(codeCacheFolder(join(data, 'later'), import.meta.filename)).toBeNull();
  expect(readdirSync(data)).toEqual([]);
  mkdirSync(join(data, 'full'));
  writeFileSync(join(data, 'full', 'code-cache'), 'a file where the folder should be');
  expect(codeCacheFolder(join(data, 'full'), import.meta.filename)).toBeNull();
});
