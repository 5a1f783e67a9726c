import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TASK_STATES, taskStateForCounter, type TaskState } from '../../contract/vocabulary.ts';
import { countTask, jobStatus, newJob, openTasks, settleJob, type JobFacts } from './job.ts';
import { isFinallyFailed, isOpen, newTask, nextTask, type TaskEvent, type TaskFacts } from './task.ts';

const fault = (code: string, retryable: boolean) => ({ code, message: 'm', retryable });
const event: fc.Arbitrary<(at: number) => TaskEvent> = fc.oneof(
  fc.constant((at: number): TaskEvent => ({ on: 'assign', at, workerId: 'w' })),
  fc.constantFrom('start', 'finish', 'retry').map((on) => (at: number): TaskEvent => ({ on, at })),
  fc
    .tuple(
      fc.constantFrom('TASK_ERROR', 'WORKER_LOST', 'NON_RETRYABLE', 'AUTHENTICATION_FAILED'),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([code, retryable, uncounted]) => (at: number): TaskEvent => ({
      on: 'fail',
      at,
      fault: fault(code, retryable),
      backoffMs: 5,
      uncounted,
    })),
  fc
    .constantFrom('schedule-timeout', 'run-timeout', 'kill', 'replica-timeout')
    .map((on) => (at: number): TaskEvent => ({ on, at, message: 'm' })),
  fc.constant((at: number): TaskEvent => ({ on: 'retry-by-hand', at, allowance: 2 })),
);

const ALLOWED: Record<TaskState, readonly TaskState[]> = {
  READY: ['SCHEDULED', 'SCHEDULE_TIMEOUT', 'FAILED'],
  SCHEDULED: ['RUNNING', 'FAILED'],
  RUNNING: ['COMPLETED', 'FAILED', 'RUN_TIMEOUT'],
  COMPLETED: [],
  FAILED: ['READY', 'FAILED'],
  SCHEDULE_TIMEOUT: ['READY'],
  RUN_TIMEOUT: ['READY'],
};

describe('a task', () => {
  it('holds its invariants over any sequence of events', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), fc.array(event, { maxLength: 60 }), (retries, events) => {
        let task = newTask(0, retries);
        let entries = 0;
        events.forEach((make, i) => {
          const before = task;
          const taken = nextTask(task, make((i + 1) * 10));
          if (!taken) return;
          task = taken.facts;
          expect(ALLOWED[before.state]).toContain(task.state);
          if (task.state === 'READY') entries++;
          expect(task.attempt).toBe(entries + 1);
          expect(task.attempt).toBeLessThanOrEqual(task.retryCount + 1);
          expect(task.attempt).toBeGreaterThanOrEqual(before.attempt);
          expect(task.retryAt === null || (task.state === 'FAILED' && task.error?.retryable === true)).toBe(true);
          expect(task.error !== null).toBe(['FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT'].includes(task.state));
          expect(task.finishedAt !== null).toBe(
            ['COMPLETED', 'FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT'].includes(task.state),
          );
          expect(isOpen(task) && isFinallyFailed(task)).toBe(false);
          if (['SCHEDULED', 'RUNNING', 'COMPLETED'].includes(task.state)) expect(task.workerId).toBe('w');
        });
      }),
    );
  });

  it('refuses what a stale lease reports', () => {
    const killed = nextTask(newTask(0, 3), { on: 'kill', at: 1, message: 'm' })?.facts as TaskFacts;
    expect(nextTask(killed, { on: 'finish', at: 2 })).toBeNull();
    expect(nextTask(killed, { on: 'kill', at: 2, message: 'm' })).toBeNull();
    expect(nextTask(killed, { on: 'retry', at: 1e9 })).toBeNull();
  });
});

describe('a job', () => {
  it('is what its tasks are, over any sequence of their events', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 4 }), event), { maxLength: 80 }), (events) => {
        const tasks: TaskFacts[] = Array.from({ length: 5 }, () => newTask(0, 1));
        let job: JobFacts = tasks.reduce((facts, task) => countTask(facts, null, task, 0), newJob(0));
        events.forEach(([which, make], i) => {
          const before = tasks[which] as TaskFacts;
          const after = nextTask(before, make((i + 1) * 10))?.facts;
          if (!after) return;
          tasks[which] = after;
          job = settleJob(countTask(job, before, after, (i + 1) * 10));
          const count = (state: TaskState) => tasks.filter((task) => task.state === state).length;
          const counters = {
            readyTasks: count('READY'),
            scheduledTasks: count('SCHEDULED'),
            runningTasks: count('RUNNING'),
            completedTasks: count('COMPLETED'),
            failedTasks: count('FAILED'),
            scheduleTimeout: count('SCHEDULE_TIMEOUT'),
            runTimeoutTasks: count('RUN_TIMEOUT'),
          };
          expect(job.counters).toEqual(counters);
          expect(jobStatus(job)).toBe(taskStateForCounter(counters));
          expect(openTasks(job)).toBe(tasks.filter(isOpen).length);
          expect(job.finishedAt !== null).toBe(tasks.every((task) => !isOpen(task)));
        });
      }),
    );
  });

  it('without tasks has finished when it begins', () => {
    expect(settleJob(newJob(7))).toMatchObject({ finishedAt: 7 });
  });
});

it('knows every state', () => {
  expect(Object.keys(ALLOWED).sort()).toEqual([...TASK_STATES].sort());
});
