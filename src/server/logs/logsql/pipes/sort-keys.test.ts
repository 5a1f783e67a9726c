import { expect, it } from 'vitest';
import { blockOf } from '../blocks.fixture.ts';
import { frameOf } from '../frame.ts';
import { keyReaders } from './sort-keys.ts';

it('a key of a number holds nothing of its block, as a sort keeps keys', () => {
  const none = new Set<string>();
  const rows = ['1.5', '', '2.25'].map((ms) => ({ _time: '2026-01-01T00:00:00Z', ms }));
  const block = blockOf(1, rows, none, none, new Set(['ms']));
  expect(block.column('ms')?.kind).toBe('decimal');
  const [read] = keyReaders(frameOf(block, null), [{ field: 'ms', desc: false }]);
  expect(rows.map((_, row) => JSON.stringify(read?.(row)))).toEqual(
    [1.5, null, 2.25].map((number) => JSON.stringify({ number, form: { places: 2, padded: false } })),
  );
});
