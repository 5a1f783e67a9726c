import { expect, it } from 'vitest';
import type { Report } from '../../../contract/worker-protocol.ts';
import { JsonSource } from '../../../lib/packed-inputs.ts';
import type { TaskReport } from '../../state-machines/report.ts';
import { splitReports } from './worker-events.ts';

const report = (id: string): Report => ({ e: 'done', id, attempt: 1, startedAt: 0, at: 0, output: null });
const tasks = (simple: boolean, nodes: number) =>
  ({
    get: () => ({
      node: { simple: simple ? { next: [], isOutput: true } : null },
      job: { plan: { nodes: { size: nodes } } },
    }),
  }) as never;

it('leaves a frame whole where its ends are cheap, up to hundreds', () => {
  const reports = Array.from({ length: 500 }, (_, i) => report(`${i}`));
  expect(splitReports({ leased: tasks(true, 2000) }, reports)).toEqual([{ weight: 500, reports }]);
  const thousands = Array.from({ length: 2000 }, (_, i) => report(`${i}`));
  const pieces = splitReports({ leased: tasks(true, 2000) }, thousands);
  expect(pieces.map(({ weight }) => weight)).toEqual([512, 512, 512, 464]);
  expect(pieces.flatMap((piece) => piece.reports)).toEqual(thousands);
});

it('takes ends in small graphs together, and in large ones apart, in their order', () => {
  const reports = Array.from({ length: 6 }, (_, i) => report(`${i}`));
  expect(splitReports({ leased: tasks(false, 10) }, reports)).toHaveLength(1);
  const apart = splitReports({ leased: tasks(false, 2000) }, reports);
  expect(apart.map((piece) => piece.reports.length)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(apart.flatMap((piece) => piece.reports)).toEqual(reports);
});

it('takes long outputs apart, one by one', () => {
  const long = (id: string, length: number) => ({ ...report(id), output: new JsonSource('x'.repeat(length)) });
  const reports = [long('a', 5_000_000), long('b', 5_000_000), long('c', 1000), long('d', 1000)];
  const pieces = splitReports({ leased: tasks(true, 1) }, reports as TaskReport[]);
  expect(pieces.map((piece) => piece.reports.map(({ id }) => id))).toEqual([['a'], ['b'], ['c', 'd']]);
});

it('takes the parts of a list a few at a time', () => {
  const part = (first: number): Report => ({
    e: 'items',
    id: 'list',
    attempt: 1,
    startedAt: 0,
    at: 0,
    first,
    items: Array.from({ length: 500 }, () => null),
    more: true,
  });
  const reports = Array.from({ length: 6 }, (_, i) => part(i * 500));
  expect(
    splitReports({ leased: tasks(true, 1) }, reports).map(({ weight, reports: some }) => [weight, some.length]),
  ).toEqual([
    [128, 2],
    [128, 2],
    [128, 2],
  ]);
});

it('takes short lists apart, whose tasks are made as they come in', () => {
  const whole = (id: string): Report => ({
    e: 'items',
    id,
    attempt: 1,
    startedAt: 0,
    at: 0,
    first: 0,
    items: Array.from({ length: 90 }, () => null),
    more: false,
  });
  expect(
    splitReports(
      { leased: tasks(true, 1) },
      Array.from({ length: 5 }, (_, i) => whole(`${i}`)),
    ).map((piece) => piece.reports.length),
  ).toEqual([1, 1, 1, 1, 1]);
});
