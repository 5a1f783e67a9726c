import { describe, expect, it } from 'vitest';
import type { Transition } from '../../../../contract/tasks.ts';
import type { TaskState } from '../../../../contract/vocabulary.ts';
import { timelineSegments, timelineSpan, timelineTicks } from './segments.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const steps = (...list: [TaskState, number, number][]): Transition[] =>
  list.map(([to, seconds, attempt], i) => ({
    from: i === 0 ? null : list[i - 1]![0],
    to,
    at: at(seconds),
    attempt,
    workerId: null,
    reason: null,
  }));

describe('the stretches of a task', () => {
  it('tells queue, hand-over, run and back-off apart, attempt by attempt', () => {
    const history = steps(
      ['READY', 0, 1],
      ['SCHEDULED', 1, 1],
      ['RUNNING', 2, 1],
      ['FAILED', 5, 1],
      ['READY', 7, 2],
      ['SCHEDULED', 8, 2],
      ['RUNNING', 8, 2],
      ['COMPLETED', 9, 2],
    );
    expect(
      timelineSegments({ history, retryAt: null, state: 'COMPLETED', workerId: 'w' }, 99_000).map((s) => [
        s.kind,
        s.from / 1000,
        s.to / 1000,
        s.attempt,
        s.ended,
      ]),
    ).toEqual([
      ['queue', 0, 1, 1, null],
      ['handed', 1, 2, 1, null],
      ['run', 2, 5, 1, 'FAILED'],
      ['backoff', 5, 7, 1, null],
      ['queue', 7, 8, 2, null],
      ['handed', 8, 8, 2, null],
      ['run', 8, 9, 2, 'COMPLETED'],
    ]);
  });
  it('tells a task that waits without a worker from one that runs', () => {
    const history = steps(['READY', 0, 1], ['RUNNING', 1, 1]);
    const kinds = (workerId: string | null) =>
      timelineSegments({ history, retryAt: null, state: 'RUNNING', workerId }, 5000).map((s) => s.kind);
    expect(kinds(null)).toEqual(['queue', 'wait']);
    expect(kinds('w')).toEqual(['queue', 'run']);
  });
  it('lets an open task run on, and ends a final failure where it failed', () => {
    const running = steps(['READY', 0, 1], ['SCHEDULED', 1, 1], ['RUNNING', 2, 1]);
    expect(
      timelineSegments({ history: running, retryAt: null, state: 'RUNNING', workerId: 'w' }, 10_000).at(-1),
    ).toMatchObject({
      kind: 'run',
      to: 10_000,
      ended: null,
    });
    const failed = steps(['READY', 0, 1], ['SCHEDULED', 1, 1], ['RUNNING', 2, 1], ['FAILED', 3, 1]);
    expect(
      timelineSegments({ history: failed, retryAt: null, state: 'FAILED', workerId: 'w' }, 10_000).at(-1),
    ).toMatchObject({
      kind: 'run',
      to: 3000,
      ended: 'FAILED',
    });
    expect(
      timelineSegments({ history: failed, retryAt: at(12), state: 'FAILED', workerId: 'w' }, 10_000).at(-1),
    ).toMatchObject({
      kind: 'backoff',
      to: 10_000,
    });
  });
  it('spans all lanes and marks round offsets', () => {
    expect(timelineSpan([])).toBeNull();
    expect(timelineSpan([[{ kind: 'run', from: 5, to: 9, attempt: 1, ended: null, workerId: null }]])).toEqual({
      from: 5,
      to: 9,
    });
    expect(timelineTicks(950, 5)).toEqual([0, 200, 400, 600, 800]);
    expect(timelineTicks(0, 5)).toEqual([0]);
  });
});
