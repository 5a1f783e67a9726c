import { expect, it, vi } from 'vitest';
import { createReporter, splitItems } from './report.ts';

it('reports the items of a forEach in chunks', () => {
  expect(splitItems([])).toEqual([{ first: 0, items: '[]', more: false }]);
  const chunks = splitItems(Array.from({ length: 1201 }, (_, i) => String(i)));
  expect(chunks.map(({ first, more }) => [first, more])).toEqual([
    [0, true],
    [500, true],
    [1000, false],
  ]);
  expect(chunks.flatMap(({ items }) => JSON.parse(items) as number[])).toEqual(
    Array.from({ length: 1201 }, (_, i) => i),
  );
  expect(splitItems(['x'.repeat(70_000), '1'].map((text) => JSON.stringify(text)))).toHaveLength(2);
});

it('reports many ends of one turn while the others still run, and starts of those that have no end yet at its end', async () => {
  const frames: { items: { e: string; id: string }[] }[] = [];
  const reporter = createReporter();
  reporter.attach({ send: (frame) => void frames.push(JSON.parse(frame.toString())), confirm: () => {} });
  const ids = Array.from({ length: 150 }, (_, i) => `t${i}`);
  for (const id of ids) reporter.start(id, 1, 1000);
  for (const id of ids.slice(0, 64)) reporter.done(id, 1, 1000, 1000, '1');
  expect(frames.map(({ items }) => items.length)).toEqual([64]);
  for (const id of ids.slice(64, 149)) reporter.done(id, 1, 1000, 1000, '1');
  await vi.waitFor(() => expect(frames).toHaveLength(3));
  const told = frames.flatMap(({ items }) => items.map(({ e, id }) => [e, id]));
  expect(told).toEqual([...ids.slice(0, 149).map((id) => ['done', id]), ['start', 't149']]);
  expect(reporter.unconfirmed().map(({ id }) => id)).toEqual(ids.slice(0, 149));
});
