import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { chooseDurability } from './choose-durability.ts';

describe('the durability of a master', () => {
  it('is what was asked for, and nothing is measured', () => {
    const folder = join(temporaryFolder('ym-durability'), 'missing');
    expect(chooseDurability('normal', folder)).toEqual({ level: 'normal', syncMs: null });
    expect(chooseDurability('full', folder)).toEqual({ level: 'full', syncMs: null });
  });

  it('follows the disk where nothing was asked for, and leaves no file behind', () => {
    const folder = temporaryFolder('ym-durability');
    const { level, syncMs } = chooseDurability(null, folder);
    expect(syncMs).toEqual(expect.any(Number));
    expect(level).toBe((syncMs ?? 0) <= 4 ? 'full' : 'normal');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is left to the store where the folder cannot be written to', () => {
    const folder = temporaryFolder('ym-durability');
    chmodSync(folder, 0o500);
    const missing = join(folder, 'missing');
    expect(chooseDurability(null, missing)).toEqual({ level: 'normal', syncMs: null });
    expect(existsSync(missing)).toBe(false);
  });
});
