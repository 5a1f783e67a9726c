import { expect, it } from 'vitest';
import { whyNoArchive } from './permissions.ts';

it('archives for admins only', () => {
  expect(whyNoArchive('admin')).toBeNull();
  expect(whyNoArchive(null)).toContain('not known yet');
});
