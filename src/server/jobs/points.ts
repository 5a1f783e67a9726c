import { COUNTER_OF, TASK_STATES, type TaskState } from '../../contract/vocabulary.ts';
import type { MetricPoint } from '../../contract/worker-protocol.ts';
import type { JobRecord } from './records.ts';
import type { EndedAttempt } from './unit.ts';

/** Metric points of contract §9. Byte counts are lengths of the JSON text. */

/** One point for each attempt that ended. */
export function attemptPoint({ task, facts, workerId, outputText }: EndedAttempt): MetricPoint {
  const { job, node } = task;
  const end = facts.finishedAt ?? facts.readyAt;
  const runMs = facts.startedAt === null ? 0 : end - facts.startedAt;
  const failed = facts.state !== 'COMPLETED';
  const outputEvents = failed ? 0 : eventsOf(outputText);
  const rate = (events: number) => events / Math.max(runMs / 1000, 0.001);
  return {
    time: end,
    measurement: 'task_metrics',
    tags: { ...tagsOf(job), task_id: task.id, worker_id: workerId, node: node.id },
    fields: {
      counter_input_event_count: task.inputEvents,
      counter_output_event_count: outputEvents,
      counter_error_count: failed ? 1 : 0,
      counter_input_byte_count: task.inputBytes,
      counter_output_byte_count: outputText?.length ?? 0,
      gauge_input_rate: rate(task.inputEvents),
      gauge_output_rate: rate(outputEvents),
      timer_schedule_ms: Math.max(0, (facts.scheduledAt ?? facts.readyAt) - facts.readyAt),
      timer_run_ms: runMs,
    },
  };
}

const GAUGE_OF = Object.fromEntries(TASK_STATES.map((state) => [state, `gauge_tasks_${state.toLowerCase()}`])) as Readonly<Record<TaskState, string>>;

/** One point for each job that finished. */
export function jobPoint(job: JobRecord, durationMs: number, at: number): MetricPoint {
  const fields: Record<string, number> = { timer_total_ms: durationMs };
  let tasks = 0;
  for (const state of TASK_STATES) {
    const count = job.facts.counters[COUNTER_OF[state]];
    tasks += count;
    fields[GAUGE_OF[state]] = count;
  }
  fields['gauge_throughput'] = tasks / Math.max(durationMs / 1000, 0.001);
  return { time: at, measurement: 'job_metrics', tags: tagsOf(job), fields };
}

/** An array counts its items, all else is one event. */
export function eventsOf(text: string | null): number {
  if (text === null) return 0;
  if (!text.startsWith('[')) return 1;
  return text.length < PARSED_CHARACTERS ? (JSON.parse(text) as unknown[]).length : itemsOf(text);
}

/** Longer arrays are counted without being built. */
const PARSED_CHARACTERS = 16 * 1024;

/** Items of an array as `JSON.stringify` writes it. */
export function itemsOf(text: string): number {
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

function tagsOf({ id, plan, environment }: JobRecord): Record<string, string> {
  return environment === null ? { job_id: id, workflow_id: plan.workflowId } : { job_id: id, workflow_id: plan.workflowId, environment };
}
