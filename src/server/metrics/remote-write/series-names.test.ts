import { expect, it } from 'vitest';
import { fieldName, labelName } from './series-names.ts';

it.each([
  ['task_metrics', 'counter_input_event_count', 'counter', 'yardmaster_task_input_events_total', 1],
  ['task_metrics', 'timer_schedule_ms', 'histogram', 'yardmaster_task_schedule_seconds', 0.001],
  ['job_metrics', 'gauge_tasks_failed', 'gauge', 'yardmaster_job_tasks_failed', 1],
  ['custom_metrics', 'gauge_wait_ms', 'gauge', 'yardmaster_custom_wait_seconds', 0.001],
  ['custom_metrics', 'counter_größe 2', 'counter', 'yardmaster_custom_gr__e_2_total', 1],
  ['my app', 'temperature', 'gauge', 'yardmaster_my_app_temperature', 1],
])('names %s %s as Prometheus would', (measurement, field, kind, name, factor) =>
  expect(fieldName(measurement, field)).toEqual({ kind, name, factor }),
);

it('makes no labels of what has many values, and none that mean something else', () => {
  expect(['job_id', 'task_id', 'worker_id', 'node'].map((tag) => labelName('task_metrics', tag))).toEqual([
    null,
    null,
    null,
    'node',
  ]);
  expect(labelName('worker_metrics', 'worker_id')).toBe('worker_id');
  expect(['le', '__name__', '2nd', 'a-b'].map((tag) => labelName('custom_metrics', tag))).toEqual([
    'tag_le',
    'tag___name__',
    '_2nd',
    'a_b',
  ]);
});
