import { expect, it } from 'vitest';
import { versionOptions } from './version-options.ts';

const commit = {
  hash: 'a'.repeat(40),
  parent: null,
  restores: null,
  message: 'First\n\nLong words',
  author: { name: 'x', email: 'x@y' },
  createdAt: '2026-01-01T00:00:00.000Z',
  description: null,
  environments: ['dev' as const],
  valid: false,
};

it('names versions by hash, first line, environments and faults', () => {
  expect(versionOptions([commit])).toEqual([{ value: commit.hash, label: 'aaaaaaaa First (dev) – has errors' }]);
});

it('adds those that were chosen though the list does not hold them, once', () => {
  expect(
    versionOptions([commit], [commit.hash, 'b'.repeat(40), 'b'.repeat(40), '']).map((option) => option.label),
  ).toEqual(['aaaaaaaa First (dev) – has errors', 'bbbbbbbb']);
});
