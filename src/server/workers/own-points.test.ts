import { expect, it } from 'vitest';
import { createOwnPoints, type RunsOfWorkers } from './own-points.ts';

const runs: RunsOfWorkers = {
  ofTask: (task) =>
    task === 'mine'
      ? { jobId: 'job', workers: ['w1'] }
      : task === 'theirs'
        ? { jobId: 'other', workers: ['w9'] }
        : null,
  ofJob: (job) => (job === 'job' ? ['w1'] : job === 'other' ? ['w9'] : []),
  placeOf: (job) => ({ workflowId: `flow of ${job}`, environment: job === 'job' ? 'dev' : 'prod' }),
};
let now = 0;
const own = createOwnPoints(
  runs,
  (worker) => worker === 'w1',
  () => now,
);
const point = (measurement: string, tags: Record<string, string>) => {
  const made = own({ time: 1, measurement, tags, fields: { counter_x: 1 } });
  return [made?.measurement, made?.tags];
};

it('keeps what a worker says of its own tasks and jobs, and of no run', () => {
  const tags = { task_id: 'mine', job_id: 'job', workflow_id: 'flow of job', environment: 'dev', node: 'n', mine: '1' };
  expect(point('custom_metrics', tags)).toEqual(['custom_metrics', tags]);
  expect(point('orders', { job_id: 'job' })).toEqual(['orders', { job_id: 'job' }]);
  expect(point('orders', { zone: 'b' })).toEqual(['orders', { zone: 'b' }]);
});

it('leaves out what it says of the runs of others', () => {
  expect(point('orders', { task_id: 'theirs', job_id: 'other', workflow_id: 'flow of other', node: 'n' })).toEqual([
    'orders',
    { claimed: 'true', node: 'n' },
  ]);
  expect(point('orders', { task_id: 'mine', job_id: 'other', environment: 'prod' })).toEqual([
    'orders',
    { task_id: 'mine', claimed: 'true' },
  ]);
  expect(point('orders', { workflow_id: 'flow of job', environment: 'dev' })).toEqual(['orders', { claimed: 'true' }]);
});

it('lets no worker speak for the master', () => {
  expect(point('system_metrics', {})).toEqual(['claimed_system_metrics', {}]);
  expect(point('task_metrics', { task_id: 'mine' })).toEqual(['claimed_task_metrics', { task_id: 'mine' }]);
});

it('believes a task that came to the worker later', () => {
  const later: { workers: string[] } = { workers: [] };
  const points = createOwnPoints(
    { ...runs, ofTask: () => ({ jobId: 'job', workers: later.workers }) },
    (worker) => worker === 'w1',
    () => now,
  );
  const tagsNow = () => points({ time: 1, measurement: 'm', tags: { task_id: 't' }, fields: {} })?.tags;
  expect(tagsNow()).toEqual({ claimed: 'true' });
  later.workers = ['w1'];
  expect(tagsNow()).toEqual({ claimed: 'true' });
  now += 1000;
  expect(tagsNow()).toEqual({ task_id: 't' });
});

it('takes no more sets of names than a worker has use for', () => {
  const points = createOwnPoints(
    runs,
    () => true,
    () => now,
  );
  const of = (measurement: string) => points({ time: 1, measurement, tags: {}, fields: { x: 1 } });
  const made = Array.from({ length: 1500 }, (_, i) => of(`m${i}`));
  expect(made.filter((one) => one !== null)).toHaveLength(1000);
  expect([of('m0') === null, of('m1499')]).toEqual([false, null]);
});

it('keeps no names and IDs without an end, and goes on with others', () => {
  const asked: string[] = [];
  const ofTask = (task: string) => (asked.push(task), null);
  const points = createOwnPoints(
    { ...runs, ofTask },
    () => true,
    () => now,
  );
  const names = (count: number, characters = 3) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i).padEnd(characters, 'x'), 1]));
  const texts = (of: Record<string, number>) => Object.fromEntries(Object.keys(of).map((name) => [name, 'text']));
  const take = (measurement: string, tags: Record<string, string>, fields: Record<string, number>) =>
    points({ time: 1, measurement, tags, fields }) !== null;
  expect(take('m'.repeat(256), texts(names(62, 256)), names(256, 256))).toBe(true);
  expect(take('m'.repeat(257), {}, names(1))).toBe(false);
  expect(take('m', texts(names(63)), names(1))).toBe(false);
  expect(take('m', { ['t'.repeat(257)]: 'text' }, names(1))).toBe(false);
  expect(take('m', {}, names(257))).toBe(false);
  expect(take('m', {}, names(1, 257))).toBe(false);

  const taken = Array.from({ length: 20 }, (_, i) => take(`m${i}`, texts(names(62, 256)), names(256, 256)));
  expect(taken.filter(Boolean)).toHaveLength(11);
  expect(take('m', { task_id: 't' }, names(1))).toBe(true);
  const long = points({ time: 1, measurement: 'm', tags: { task_id: 'x'.repeat(101) }, fields: names(1) });
  expect(long?.tags).toEqual({ claimed: 'true' });
  expect(asked).toEqual(['t']);
});

it('leaves room for the tags that the master adds', () => {
  const tags = (count: number) => ({
    job_id: 'other',
    ...Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`t${i}`, ''])),
  });
  expect(point('orders', tags(62))[1]).toHaveProperty('claimed');
  expect(point('orders', tags(63))).toEqual([undefined, undefined]);
});
