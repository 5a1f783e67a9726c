import { parseStored } from '../../../lib/json.ts';
import { COUNTER_OF, TASK_STATES } from '../../../contract/vocabulary.ts';
import type { Shape } from '../../metrics/port.ts';
import type { JobRecord } from './records.ts';
import type { EndedAttempt } from './port.ts';

/** Metric points as `docs/metrics.md` lists them. Byte counts are lengths of the JSON text. A point is its shape, the texts of its tags and its numbers. */
export interface ShapedPoint {
  readonly shape: Shape;
  readonly time: number;
  readonly tags: readonly string[];
  readonly values: readonly number[];
}

const JOB_TAGS = ['job_id', 'workflow_id', 'environment'] as const;
const TASK_SHAPE: Shape = {
  measurement: 'task_metrics',
  tags: [...JOB_TAGS, 'task_id', 'worker_id', 'node'],
  fields: [
    'counter_input_event_count',
    'counter_output_event_count',
    'counter_error_count',
    'counter_input_byte_count',
    'counter_output_byte_count',
    'gauge_input_rate',
    'gauge_output_rate',
    'timer_schedule_ms',
    'timer_run_ms',
  ],
};
const JOB_SHAPE: Shape = {
  measurement: 'job_metrics',
  tags: JOB_TAGS,
  fields: ['timer_total_ms', ...TASK_STATES.map((state) => `gauge_tasks_${state.toLowerCase()}`), 'gauge_throughput'],
};

/** One point for each attempt that ended. */
export function attemptPoint({ task, facts, workerId, outputText }: EndedAttempt): ShapedPoint {
  const { job, node } = task;
  const end = facts.finishedAt ?? facts.readyAt;
  const runMs = facts.startedAt === null ? 0 : end - facts.startedAt;
  const failed = facts.state !== 'COMPLETED';
  const outputEvents = failed ? 0 : countEvents(outputText);
  const rate = (events: number) => events / Math.max(runMs / 1000, 0.001);
  return {
    shape: TASK_SHAPE,
    time: end,
    tags: [job.id, job.plan.workflowId, job.environment ?? '', task.id, workerId, node.id],
    values: [
      task.inputEvents,
      outputEvents,
      failed ? 1 : 0,
      task.inputBytes,
      outputText === null ? 0 : Buffer.byteLength(outputText),
      rate(task.inputEvents),
      rate(outputEvents),
      Math.max(0, (facts.scheduledAt ?? facts.readyAt) - facts.readyAt),
      runMs,
    ],
  };
}

/** One point for each job that finished. */
export function jobPoint(job: JobRecord, durationMs: number, at: number): ShapedPoint {
  const values = [durationMs];
  let tasks = 0;
  for (const state of TASK_STATES) {
    const count = job.facts.counters[COUNTER_OF[state]];
    tasks += count;
    values.push(count);
  }
  values.push(tasks / Math.max(durationMs / 1000, 0.001));
  return { shape: JOB_SHAPE, time: at, tags: [job.id, job.plan.workflowId, job.environment ?? ''], values };
}

/** An array counts its items, all else is one event. */
export function countEvents(text: string | null): number {
  if (text === null) return 0;
  if (!text.startsWith('[')) return 1;
  return text.length < PARSED_CHARACTERS ? parseStored<unknown[]>(text).length : countItems(text);
}

/** Longer arrays are counted without being built. */
const PARSED_CHARACTERS = 16 * 1024;

/** Items of an array as `JSON.stringify` writes it. */
export function countItems(text: string): number {
  if (text.startsWith('[]')) return 0;
  let depth = 0;
  let items = 1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      for (i = text.indexOf('"', i + 1); i > 0 && isEscaped(text, i); i = text.indexOf('"', i + 1));
      if (i < 0) break;
    } else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x2c && depth === 1) items++;
  }
  return items;
}

/** True where an odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === 0x5c) before--;
  return (at - before) % 2 === 1;
}
