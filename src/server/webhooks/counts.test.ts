import { expect, it } from 'vitest';
import { createCounts } from './counts.ts';

const hook = (id: string) => ({ id, workflowId: 'orders', environment: 'prod' }) as const;

it('counts verdicts since the start, and what went wrong since a time', () => {
  let now = 1_000_000;
  const counts = createCounts(() => now);
  counts.add(hook('a'), 'ACCEPTED');
  counts.add(hook('a'), 'FAILED');
  now += 60_000;
  counts.add(hook('a'), 'FAILED');
  counts.add(hook('b'), 'SIGNATURE_INVALID');
  expect(counts.totals()).toMatchObject({ ACCEPTED: 1, FAILED: 2, SIGNATURE_INVALID: 1, REPLAYED: 0 });
  const place = { workflowId: 'orders', environment: 'prod' };
  expect(counts.trouble(0)).toEqual([
    { webhookId: 'a', ...place, failed: 2, refused: 0 },
    { webhookId: 'b', ...place, failed: 0, refused: 1 },
  ]);
  expect(counts.trouble(now - 30_000)).toMatchObject([{ webhookId: 'a', failed: 1 }, { webhookId: 'b' }]);
  now += 3_700_000;
  expect(counts.trouble(now - 300_000)).toEqual([]);
});

it('tells a bounded number of webhooks apart, and forgets those that are well again', () => {
  let now = 1_000_000;
  const counts = createCounts(() => now);
  for (let i = 0; i < 1100; i++) counts.add(hook(`h${i}`), 'FAILED');
  expect(counts.trouble(0)).toHaveLength(1000);
  now += 3_700_000;
  counts.add(hook('late'), 'FAILED');
  expect(counts.trouble(0)).toMatchObject([{ webhookId: 'late', failed: 1 }]);
  counts.remove('late');
  expect(counts.trouble(0)).toEqual([]);
});

it('goes on counting while the clock is set back', () => {
  let now = 1_000_000;
  const counts = createCounts(() => now);
  counts.add(hook('a'), 'FAILED');
  now -= 500_000;
  counts.add(hook('a'), 'FAILED');
  expect(counts.trouble(0)).toMatchObject([{ failed: 2 }]);
});
