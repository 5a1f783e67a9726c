import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openFolder } from './folder-writer.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

let around: string;
let folder: string;
beforeEach(() => {
  around = temporaryFolder('writer');
  folder = join(around, 'folder');
  writeFileSync(join(around, 'mine'), 'mine');
});
const mine = () => readFileSync(join(around, 'mine'), 'utf8');
const refusal = expect.objectContaining({ code: 'PATH_REFUSED' });

it('writes files and the folders above them, also in the place of what is there', () => {
  const writer = openFolder(folder);
  writer.write('a/b/c.json', 'one');
  writer.write('a/b/c.json', Buffer.from('two'));
  expect(readFileSync(join(folder, 'a/b/c.json'), 'utf8')).toBe('two');
  expect(writer.read('a/b/c.json')).toBe('two');
  expect(writer.read('x/y')).toBeNull();
  writer.write('a/gone', 'x');
  expect([writer.remove('a/gone'), writer.remove('a/gone'), existsSync(join(folder, 'a/gone'))]).toEqual([
    true,
    false,
    false,
  ]);
  expect(writer.list()).toEqual(['a']);
  writer.inner('.git').write('HEAD', 'x');
  expect(existsSync(join(folder, '.git/HEAD'))).toBe(true);
});

it.each([
  '../mine',
  'a/../../mine',
  '/etc/passwd',
  '',
  'a//b',
  './a',
  'a/',
  '.bashrc',
  '.git/config',
  'a/.GIT/config',
  '.gitmodules',
  'GIT~1/config',
  '.g\u200cit/config',
  '\u200c.git/config',
  '..\\mine',
  'C:mine',
  'a\0b',
  'a\nb',
  'nul.json',
  'a.',
  'x'.repeat(300),
])('refuses the name %j', (name) => {
  const writer = openFolder(folder);
  expect(() => writer.write(name, 'theirs')).toThrow(refusal);
  expect(() => writer.read(name)).toThrow(refusal);
  expect(() => writer.remove(name)).toThrow(refusal);
  expect(() => writer.makeFolder(name)).toThrow(refusal);
  expect(mine()).toBe('mine');
  expect(writer.list()).toEqual([]);
});

it('follows no link that lies in the folder', () => {
  const writer = openFolder(folder);
  symlinkSync(around, join(folder, 'out'));
  symlinkSync(join(around, 'mine'), join(folder, 'link'));
  symlinkSync(join(around, 'new'), join(folder, 'dangling'));
  for (const name of ['out/mine', 'out/new', 'link', 'dangling', 'dangling/x'])
    expect(() => writer.write(name, 'theirs'), name).toThrow(refusal);
  expect(() => writer.read('link')).toThrow(refusal);
  expect(() => writer.inner('out')).toThrow(refusal);
  expect(mine()).toBe('mine');
  expect(existsSync(join(around, 'new'))).toBe(false);
});

it('writes through no hard link, and over no folder', () => {
  const writer = openFolder(folder);
  linkSync(join(around, 'mine'), join(folder, 'same'));
  writer.write('same', 'theirs');
  expect(mine()).toBe('mine');
  mkdirSync(join(folder, 'dir'));
  expect(() => writer.write('dir', 'theirs')).toThrow(refusal);
});

it('follows the links that lead to the folder once, and notices a folder that was replaced', () => {
  mkdirSync(folder);
  symlinkSync(folder, join(around, 'way'));
  const writer = openFolder(join(around, 'way'));
  expect(writer.path.endsWith('folder')).toBe(true);
  renameSync(folder, join(around, 'moved'));
  symlinkSync(around, folder);
  expect(() => writer.write('mine', 'theirs')).toThrow(refusal);
  expect(mine()).toBe('mine');
});
