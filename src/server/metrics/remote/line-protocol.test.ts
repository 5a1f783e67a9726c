import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MetricPoint } from '../../../contract/worker-protocol.ts';
import { createCollector } from '../collector/collector.ts';
import type { ShapeBatch } from '../collector/port.ts';
import { openTestStore } from '../store/store.fixture.ts';
import { createPointEncoder } from './line-protocol.ts';

function batchesOf(points: readonly MetricPoint[]): ShapeBatch[] {
  const batches: ShapeBatch[] = [];
  const collector = createCollector((batch) => batches.push(batch));
  for (const point of points) collector.add(point);
  collector.flush();
  return batches;
}

it('leaves jobs and tasks out of the tags of all points, and has the task as a field beside the job', () => {
  const encode = createPointEncoder(41);
  const tags = { job_id: 'j', task_id: 't', node: 'a b' };
  expect(
    encode(
      batchesOf([
        { time: 5, measurement: 'task_metrics', tags, fields: { counter_a: 1, gauge_b: 0.5 } },
        { time: 6, measurement: 'worker_metrics', tags: { worker_id: 'w' }, fields: { gauge_c: 2 } },
      ]),
    ),
  ).toEqual({
    all:
      String.raw`task_metrics,node=a\ b counter_a=1,gauge_b=0.5 5000041` +
      '\nworker_metrics,worker_id=w gauge_c=2 6000000\n',
    jobs: String.raw`task_metrics,node=a\ b,job_id=j counter_a=1,gauge_b=0.5,task_id="t" 5000041` + '\n',
    points: 2,
    jobPoints: 1,
  });
});

it('gives tasks that end in the same millisecond times of their own, and one task one time', () => {
  const of = (task: string, field: string): MetricPoint => ({
    ...{ time: 5, measurement: 'custom_metrics', tags: { task_id: task }, fields: { [field]: 1 } },
  });
  const { all } = createPointEncoder(999_999)(batchesOf([of('t1', 'a'), of('t2', 'a'), of('t1', 'b')]));
  expect(all.split('\n').map((line) => line.split(' ')[2])).toEqual(['5999999', '5000000', '5999999', undefined]);
});

it('writes only what InfluxDB can read, whatever is in names and values', () => {
  const name = fc
    .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
    .filter((text) => text.trim() !== '' && !text.startsWith('_') && !text.startsWith('#'));
  const point = fc.record({
    time: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_999 }),
    measurement: name,
    tags: fc.dictionary(name, fc.string({ unit: 'grapheme' })),
    fields: fc.dictionary(name, fc.oneof(fc.double(), fc.constant(-0), fc.integer()), { minKeys: 1, maxKeys: 3 }),
  });
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 5 }), (points) => {
      const store = openTestStore();
      try {
        const { all, points: count } = createPointEncoder(0)(batchesOf(points));
        const lines = all.split('\n').filter((line) => line !== '');
        expect(lines).toHaveLength(count);
        if (count > 0) expect(store.lines(all)).toMatchObject({ faulty: 0 });
      } finally {
        store.close();
      }
    }),
    { numRuns: 60 },
  );
});
