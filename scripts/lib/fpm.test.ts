import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { programOf } from './debian.mjs';
import { run } from './processes.mjs';

const work = mkdtempSync(join(tmpdir(), 'yardmaster-fpm-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const file = join(work, 'made.deb');
/** As electron-builder calls fpm. */
const fpm = (...more: string[]) =>
  run(process.execPath, [
    resolve('scripts/lib/fpm.mjs'),
    '-s',
    'dir',
    '--force',
    '-t',
    'deb',
    '-d',
    'libgtk-3-0 | libgtk-3-0t64',
    '-d',
    'libnss3',
    '--deb-recommends',
    'libnotify4',
    '--deb-compression',
    'gz',
    '--architecture',
    'amd64',
    '--description',
    'A console\n for jobs',
    '--version',
    '1.2.3',
    '--package',
    file,
    '--name',
    'yardmaster',
    '--maintainer',
    'Somebody <somebody@example.com>',
    '--url',
    'https://yardmaster.invalid',
    '--category',
    'devel',
    '--deb-priority',
    'optional',
    ...more,
  ]);

test('in the place of fpm, dpkg-deb builds what electron-builder lays out, with sums, rights and links', async () => {
  const app = join(work, 'app');
  mkdirSync(app, { mode: 0o700 });
  writeFileSync(join(app, 'program'), '#!/bin/sh\n', { mode: 0o700 });
  writeFileSync(join(app, 'text'), 'words', { mode: 0o600 });
  mkdirSync(join(work, 'bin'));
  symlinkSync('/opt/App/program', join(work, 'bin', 'app'));
  writeFileSync(join(work, 'script'), '#!/bin/sh\nexit 0\n');
  const { code, output } = await fpm(
    '--after-install',
    join(work, 'script'),
    '--after-remove',
    join(work, 'script'),
    `${app}/=/opt/App`,
    `${join(work, 'bin')}/=/usr/bin`,
  );
  if (programOf('dpkg-deb') === null)
    return expect([code, output]).toEqual([1, expect.stringContaining('dpkg-deb is missing')]);
  expect([code, output]).toEqual([0, expect.any(String)]);

  const tell = (...args: string[]) => execFileSync('dpkg-deb', args, { encoding: 'utf8' });
  expect(tell('--field', file)).toBe(
    'Package: yardmaster\nVersion: 1.2.3\nArchitecture: amd64\nMaintainer: Somebody <somebody@example.com>\nInstalled-Size: 1\nDepends: libgtk-3-0 | libgtk-3-0t64, libnss3\nRecommends: libnotify4\nSection: devel\nPriority: optional\nDescription: A console\n for jobs\n',
  );
  expect(tell('--info', file, 'md5sums').split('\n').sort()).toEqual(
    ['', '3e2b31c72181b87149ff995e7202c0e3  opt/App/program', '89759e1284e2479b991d2669de104942  opt/App/text'].sort(),
  );
  expect(tell('--info', file, 'postinst')).toContain('exit 0');
  const unpacked = join(work, 'unpacked');
  tell('--extract', file, unpacked);
  expect(
    ['opt/App', 'opt/App/program', 'opt/App/text'].map((path) => lstatSync(join(unpacked, path)).mode & 0o777),
  ).toEqual([0o755, 0o755, 0o644]);
  expect(readlinkSync(join(unpacked, 'usr/bin/app'))).toBe('/opt/App/program');
});

test('what electron-builder does not say today is refused, not passed over', async () => {
  rmSync(file, { force: true });
  const { code, output } = await fpm('--deb-systemd', 'x.service');
  expect([code, output]).toEqual([1, expect.stringContaining('Unknown option --deb-systemd')]);
  expect(existsSync(file)).toBe(false);
});
