import type { Lease, MetricPoint } from '../contract/worker-protocol.ts';

export interface Measured {
  lease: Lease;
  id: string;
  node: string;
  workerId: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  runMs: number;
  /** From READY to its start; null where the master did not say when it became READY. */
  scheduleMs: number | null;
  inputBytes: number;
  /** Null for a failed attempt. */
  outputBytes: number | null;
}

const round = (value: number) => Math.round(value * 1000) / 1000;

/** The `task_metrics` point of one attempt (contract §9). Rates are records a second of run time. */
export function pointOf(m: Measured): MetricPoint {
  const seconds = Math.max(m.runMs, 1) / 1000;
  const out = m.outputBytes === null ? 0 : 1;
  return {
    time: Math.round(m.startedAt + m.runMs),
    measurement: 'task_metrics',
    tags: { job_id: m.lease.jobId, task_id: m.id, worker_id: m.workerId, workflow_id: m.lease.workflowId, ...(m.lease.environment === null ? {} : { environment: m.lease.environment }), node: m.node },
    fields: {
      counter_input_event_count: 1,
      counter_output_event_count: out,
      counter_error_count: 1 - out,
      counter_input_byte_count: m.inputBytes,
      counter_output_byte_count: m.outputBytes ?? 0,
      gauge_input_rate: round(1 / seconds),
      gauge_output_rate: round(out / seconds),
      timer_run_ms: round(m.runMs),
      ...(m.scheduleMs === null ? {} : { timer_schedule_ms: m.scheduleMs }),
    },
  };
}
