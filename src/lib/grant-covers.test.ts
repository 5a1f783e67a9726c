import { expect, it } from 'vitest';
import { grantCovers } from './grant-covers.ts';

const ALL = { project: null, environments: null };
const SHOP_DEV = { project: 'shop', environments: ['dev'] } as const;

it('covers what belongs to no project by a grant of everything alone', () => {
  expect(grantCovers(ALL, 'workers.operate', null)).toBe(true);
  expect(grantCovers({ ...ALL, environments: ['dev'] }, 'workers.operate', null)).toBe(false);
  expect(grantCovers({ ...ALL, project: 'shop' }, 'workers.operate', null)).toBe(false);
});

it('limits by environments only what has one', () => {
  expect(grantCovers(SHOP_DEV, 'jobs.operate', { project: 'shop', environment: 'dev' })).toBe(true);
  expect(grantCovers(SHOP_DEV, 'jobs.operate', { project: 'shop', environment: 'prod' })).toBe(false);
  expect(grantCovers(SHOP_DEV, 'jobs.operate', { project: 'shop', environment: null })).toBe(false);
  expect(grantCovers(SHOP_DEV, 'jobs.read', { project: 'shop', environment: 'prod' })).toBe(true);
  expect(grantCovers(SHOP_DEV, 'jobs.read', { project: 'default', environment: 'dev' })).toBe(false);
});
