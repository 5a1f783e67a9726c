import { expect, test } from 'vitest';
import { versionSkew, unsafeVersionMessage } from './version-skew.ts';
import { createMasterVersions } from './master-versions.ts';

test.each([
  ['1.4.2', '1.4.2', 'same'],
  ['1.4.2', '1.3.9', 'older'],
  ['1.4.2', '1.5.0', 'newer'],
  ['1.4.2', '1.4.3-beta.1', 'newer'],
  ['1.4.2', '2.0.0', 'unsafe'],
  ['2.0.0', '1.9.9', 'unsafe'],
  ['0.1.0', '0.1.7', 'newer'],
  ['0.2.0', '0.1.9', 'unsafe'],
  ['0.9.0', '1.0.0', 'unsafe'],
  ['1.0.0', 'mine', 'unsafe'],
] as const)('an app %s and a master %s: %s', (app, master, skew) => {
  expect(versionSkew(app, master)).toBe(skew);
});

test('an unsafe pair is told which app to take', () => {
  expect(unsafeVersionMessage('1.4.2', '2.1.0')).toContain('version 2.x');
  expect(unsafeVersionMessage('0.2.0', '0.1.9')).toContain('version 0.1.x');
  expect(unsafeVersionMessage('0.2.0', 'mine')).toContain('update the app');
});

test('each master is asked once in a while, and a new version is told', async () => {
  const told = ['1.0.0', '2.0.0'];
  let clock = 0;
  let changes = 0;
  const versions = createMasterVersions(
    '1.0.0',
    async () => told.shift() ?? null,
    () => clock,
  );
  versions.onChange(() => changes++);
  const target = { url: 'https://a', token: 't' };
  expect(versions.known('https://a')).toBeNull();
  expect(await Promise.all([versions.of(target), versions.of(target)])).toEqual([
    { version: '1.0.0', skew: 'same' },
    { version: '1.0.0', skew: 'same' },
  ]);
  clock += 60_000;
  expect(await versions.of(target)).toEqual({ version: '2.0.0', skew: 'unsafe' });
  expect(versions.known('https://a')).toEqual({ version: '2.0.0', skew: 'unsafe' });
  expect(changes).toBe(2);
});

test('a master that does not tell is asked again at once', async () => {
  const told = [null, '1.0.0'];
  const versions = createMasterVersions(
    '1.0.0',
    async () => told.shift() ?? null,
    () => 0,
  );
  expect(await versions.of({ url: 'https://a', token: 't' })).toBeNull();
  expect(await versions.of({ url: 'https://a', token: 't' })).toMatchObject({ version: '1.0.0' });
});
