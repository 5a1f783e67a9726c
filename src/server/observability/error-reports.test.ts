import { expect, it } from 'vitest';
import { Fault } from '../../lib/fault.ts';
import { createErrorReports } from './error-reports.ts';

it('tells a failure at once, the same one again only after a while and with how often it came, and others meanwhile', () => {
  let at = Date.UTC(2026, 0, 1);
  const lines: string[] = [];
  const report = createErrorReports(
    (line) => void lines.push(line),
    () => at,
  );
  const fail = (task: number) =>
    report(
      Object.assign(new Error(`the store refuses task ${task}`), {
        stack: `Error: the store refuses task ${task}\n  at write.ts:${task}`,
      }),
    );
  for (let task = 0; task < 1000; task++) fail(task);
  report('other');
  expect(lines.map((line) => line.split('\n')[0])).toEqual([
    'unexpected: Error: the store refuses task 0',
    'unexpected: other',
  ]);
  at += 10_000;
  fail(1000);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toContain('and 999 more times since 2026-01-01T00:00:00.000Z');
});

it('tells a fault by its code and words, without a stack, and does not call a write in doubt unexpected', () => {
  const lines: string[] = [];
  const report = createErrorReports(
    (line) => void lines.push(line),
    () => 0,
  );
  report(new Fault('STORE_FULL', 'the disk is full'));
  report(new Fault('NO_OWNER', 'repeat the request'));
  expect(lines).toEqual([
    'unexpected: STORE_FULL: the disk is full',
    "it is not known whether a write in the background was kept: this master's lease expired, or another master took over",
  ]);
});

it('remembers so many kinds of failures and no more', () => {
  const lines: string[] = [];
  const report = createErrorReports(
    (line) => void lines.push(line),
    () => 0,
  );
  const kind = (n: number) =>
    `failure ${'abcdefghij'
      .split('')
      .map((letter, bit) => ((n >> bit) & 1 ? letter : letter.toUpperCase()))
      .join('')}`;
  for (let n = 0; n < 300; n++) report(kind(n));
  report(kind(299));
  expect(lines).toHaveLength(300);
  report(kind(0));
  expect(lines).toHaveLength(301);
});
