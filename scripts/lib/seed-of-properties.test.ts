import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedOfProperties } from './seed-of-properties.ts';

const folder = mkdtempSync(join(tmpdir(), 'seed-'));
const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
const commit = (text: string, message: string) => {
  writeFileSync(join(folder, 'source.ts'), text);
  git('add', '-A');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', message);
};
const seed = () => seedOfProperties(folder, undefined);
beforeAll(() => void git('init', '-q'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is the same for the same files, whatever the commit, and another for others', () => {
  commit('one', 'First');
  const first = seed();
  commit('one', 'Again');
  expect(seed()).toBe(first);
  commit('two', 'Second');
  expect(seed()).not.toBe(first);
});

it('is what was asked for', () => {
  expect([seedOfProperties(folder, '42'), seedOfProperties(folder, '-7')]).toEqual([42, -7]);
  expect(Number.isInteger(seedOfProperties(folder, 'random'))).toBe(true);
  expect(() => seedOfProperties(folder, 'soon')).toThrow(/YARDMASTER_SEED is "random" or a whole number, not "soon"/);
});
