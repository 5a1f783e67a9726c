import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRunCounts, KEPT_MS, SLOT_MS } from './run-counts.ts';

const T = Date.UTC(2026, 0, 1, 12);

it('counts runs by workflow and environment, and forgets those that are too old', () => {
  const counts = createRunCounts();
  counts.add(T, 'a', 'dev', 1, 1);
  counts.add(T + 1000, 'a', 'dev', 1, 0);
  counts.add(T + 60_000, 'a', '', 1, 0);
  expect(counts.since(T)).toEqual([
    { workflowId: 'a', environment: 'dev', runs: 2, failed: 1 },
    { workflowId: 'a', environment: '', runs: 1, failed: 0 },
  ]);
  expect(counts.since(T + 30_000)).toEqual([{ workflowId: 'a', environment: '', runs: 1, failed: 0 }]);
  // The same place of the ring, a turn later.
  counts.add(T + KEPT_MS, 'a', 'dev', 1, 0);
  expect(counts.since(T + 30_000)).toContainEqual({ workflowId: 'a', environment: 'dev', runs: 1, failed: 0 });
  // Later than all that is kept.
  counts.add(T, 'a', 'dev', 1, 1);
  expect(counts.since(T + 30_000)).toContainEqual({ workflowId: 'a', environment: 'dev', runs: 1, failed: 0 });
});

it('goes on counting behind a clock that went back, without what was counted before', () => {
  const counts = createRunCounts();
  for (let i = 0; i < 180; i++) counts.add(T + 3_600_000 + i * SLOT_MS, 'a', '', 10, 10);
  for (let i = 0; i < 10; i++) counts.add(T + i * SLOT_MS, 'a', '', 1, 0);
  expect(counts.since(T)).toEqual([{ workflowId: 'a', environment: '', runs: 10, failed: 0 }]);
});

it('remembers a bounded number of workflows, those that ran last', () => {
  const counts = createRunCounts();
  for (let i = 0; i < 1500; i++) counts.add(T + (i * SLOT_MS) / 10, `w${i}`, '', 1, 0);
  const found = counts.since(T);
  expect(found).toHaveLength(1000);
  expect(found.some(({ workflowId }) => workflowId === 'w1499')).toBe(true);
  expect(found.some(({ workflowId }) => workflowId === 'w0')).toBe(false);
});

it('counts as a list would, whatever the order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ ago: fc.integer({ min: 0, max: KEPT_MS - SLOT_MS }), failed: fc.boolean() })),
      fc.integer({ min: 0, max: KEPT_MS / SLOT_MS - 1 }),
      (runs, slots) => {
        const counts = createRunCounts();
        for (const { ago, failed } of runs) counts.add(T - ago, 'a', '', 1, failed ? 1 : 0);
        const wanted = runs.filter(({ ago }) => T - ago >= T - slots * SLOT_MS);
        const [one = { runs: 0, failed: 0 }] = counts.since(T - slots * SLOT_MS);
        expect([one.runs, one.failed]).toEqual([wanted.length, wanted.filter(({ failed }) => failed).length]);
      },
    ),
  );
});
