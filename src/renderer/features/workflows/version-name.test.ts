import { expect, it } from 'vitest';
import { versionName } from './version-name.ts';

it('names a version by its number and the beginning of its hash', () => {
  const hash = '1f3a9c04e2b1d5a7c8f90112233445566778899a';
  expect(versionName({ hash, number: 12 })).toBe('v12 (1f3a9c04)');
  expect(versionName({ hash, number: null })).toBe('1f3a9c04');
  expect(versionName({ hash })).toBe('1f3a9c04');
});
