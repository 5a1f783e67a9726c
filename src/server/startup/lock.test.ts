import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockDataFolder } from './lock.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const folder = () => temporaryFolder('ym-lock');

it('makes the folder, and lets one master in at a time', () => {
  const data = join(folder(), 'a', 'b');
  const first = lockDataFolder(data);
  expect(existsSync(join(data, 'master.pid'))).toBe(true);
  expect(() => lockDataFolder(data)).toThrow(`another master (process ${process.pid}) uses the data folder`);
  first.release();
  lockDataFolder(data).release();
});

it('is free again when its holder was killed', () => {
  const data = folder();
  const script = `const D = require('better-sqlite3'); const db = new D(process.argv[1], {timeout: 0}); db.pragma('locking_mode = EXCLUSIVE'); db.exec('BEGIN EXCLUSIVE'); process.kill(process.pid, 'SIGKILL')`;
  expect(spawnSync(process.execPath, ['-e', script, join(data, 'master.lock')]).signal).toBe('SIGKILL');
  lockDataFolder(data).release();
});

it('names a folder that cannot be made', () => {
  const data = folder();
  chmodSync(data, 0o500);
  // A file stands where the folder should be: refused also for root, whom no mode holds back.
  expect(() => lockDataFolder(join(process.execPath, 'data'))).toThrow('is not writable (ENOTDIR)');
  if (process.platform === 'linux')
    expect(() => lockDataFolder('/proc/yardmaster/data')).toThrow('is not writable (ENOENT)');
});
