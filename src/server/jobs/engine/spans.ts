import {
  isSampled,
  jobSpanIdOf,
  parentSpanIdOf,
  retrySpanIdOf,
  spanIdOf,
  traceIdOf,
  waitSpanIdOf,
  type TraceContext,
} from '../../../lib/trace-context.ts';
import { jobStatus } from '../../state-machines/job.ts';
import type { TaskFacts } from '../../state-machines/task.ts';
import type { ReadHandle } from '../../store/port.ts';
import { SPAN_KIND } from '../../../lib/span-kind.ts';
import type { SpanRecord, Tracing } from '../../telemetry/port.ts';
import type { Transaction } from './port.ts';
import type { JobRecord, TaskRecord } from './records.ts';
import { JOB_TRACE } from './sql.ts';

/** Characters of the message of an error in a span. */
const MESSAGE = 1000;

/** Gives away what ended in this turn of jobs that are traced. */
export function traceTurn({ put }: Pick<Tracing, 'put'>, read: ReadHandle, tx: Transaction): void {
  for (const { task, facts, workerId } of tx.effects.endedAttempts)
    if (isTraced(task.job)) attemptSpans(task, task.job.trace, facts, workerId).forEach(put);
  for (const { task, facts } of tx.effects.endedCalls)
    if (isTraced(task.job)) attemptSpans(task, task.job.trace, facts, null).forEach(put);
  for (const [job, before] of tx.jobs) {
    const { finishedAt } = job.facts;
    const wasFinished = before.facts.finishedAt !== null && before.stored !== null;
    if (finishedAt === null || wasFinished || !isTraced(job)) continue;
    put(jobSpan(job, job.trace, finishedAt, originalOf(read, job)));
  }
}

const isTraced = (job: JobRecord): job is JobRecord & { readonly trace: TraceContext } =>
  job.trace !== null && isSampled(job.trace);

/** The job that it is a rerun of, where that was traced too. */
function originalOf(read: ReadHandle, { lineage }: JobRecord): { jobId: string; trace: TraceContext } | null {
  const jobId = lineage?.rerunOf ?? null;
  if (jobId === null) return null;
  const trace = read.query<{ trace: string | null }>(JOB_TRACE).get(jobId)?.trace ?? null;
  return trace === null || !isSampled(trace) ? null : { jobId, trace };
}

/** The span of a job, or of what it did since it was retried by hand. */
export function jobSpan(
  job: JobRecord,
  trace: TraceContext,
  end: number,
  original: { readonly jobId: string; readonly trace: TraceContext } | null,
): SpanRecord {
  const { plan, retriedAt, failure, lineage } = job;
  const status = jobStatus(job.facts);
  const failed = status !== 'COMPLETED' && status !== 'EMPTY';
  const parent = parentSpanIdOf(trace);
  const isChild = lineage !== null && lineage.parentTaskId !== null;
  return {
    traceId: traceIdOf(trace),
    ...(retriedAt === null
      ? { spanId: jobSpanIdOf(job.id), parentSpanId: parent, name: plan.workflowId, start: job.createdAt }
      : {
          spanId: retrySpanIdOf(job.id, retriedAt),
          parentSpanId: jobSpanIdOf(job.id),
          name: `${plan.workflowId} retried`,
          start: retriedAt,
        }),
    kind: retriedAt === null && !isChild ? SPAN_KIND.server : SPAN_KIND.internal,
    end,
    attributes: {
      'yardmaster.job.id': job.id,
      'yardmaster.job.status': status,
      'yardmaster.job.kind': job.kind,
      'yardmaster.job.inputs': job.inputCount,
      ...(job.externalId === null ? {} : { 'yardmaster.job.external_id': job.externalId }),
      ...ofWorkflow(job),
      'yardmaster.workflow.commit': plan.commit,
      ...(lineage?.rerunOf ? { 'yardmaster.job.rerun_of': lineage.rerunOf } : {}),
      ...(lineage?.parentTaskId ? { 'yardmaster.job.parent_task_id': lineage.parentTaskId } : {}),
    },
    events: job.killedAt === null ? [] : [{ name: 'killed', at: job.killedAt, attributes: {} }],
    links: original
      ? [
          {
            traceId: traceIdOf(original.trace),
            spanId: jobSpanIdOf(original.jobId),
            attributes: { 'yardmaster.link': 'rerun_of', 'yardmaster.job.id': original.jobId },
          },
        ]
      : [],
    error: failed ? (failure ? short(`${failure.node}: ${failure.taskMessage}`) : status) : null,
  };
}

/** The span of an attempt, and before it that of its wait for a worker. */
export function attemptSpans(
  { id, job, node, replica, item }: TaskRecord,
  trace: TraceContext,
  facts: TaskFacts,
  workerId: string | null,
): SpanRecord[] {
  const { attempt, readyAt, scheduledAt, startedAt, error, retryAt } = facts;
  const end = facts.finishedAt ?? readyAt;
  // Until its worker begins, a task waits: in the queue, then on its way.
  const start = Math.min(startedAt ?? end, end);
  const failed = facts.state !== 'COMPLETED';
  const span = {
    traceId: traceIdOf(trace),
    parentSpanId: jobSpanIdOf(job.id),
    attributes: {
      'yardmaster.job.id': job.id,
      'yardmaster.task.id': id,
      'yardmaster.task.attempt': attempt,
      'yardmaster.task.replica': replica,
      ...(item === null ? {} : { 'yardmaster.task.item': item }),
      'yardmaster.node.id': node.id,
      'yardmaster.node.type': node.type,
      ...ofWorkflow(job),
    },
    links: [],
  };
  const wait: SpanRecord = {
    ...span,
    spanId: waitSpanIdOf(id, attempt),
    name: `${node.id} queued`,
    kind: SPAN_KIND.internal,
    start: readyAt,
    end: start,
    events: scheduledAt === null ? [] : [{ name: 'scheduled', at: scheduledAt, attributes: {} }],
    error: null,
  };
  const run: SpanRecord = {
    ...span,
    spanId: spanIdOf(id, attempt),
    name: node.id,
    kind: node.type === 'http' || node.type === 'workflow' ? SPAN_KIND.client : SPAN_KIND.internal,
    start,
    end,
    attributes: {
      ...span.attributes,
      'yardmaster.task.state': facts.state,
      'yardmaster.task.queue_ms': Math.max(0, start - readyAt),
      ...(workerId === null ? {} : { 'yardmaster.worker.id': workerId }),
      ...(failed && error ? { 'error.type': error.code } : {}),
    },
    events: [
      ...(failed && error
        ? [
            {
              name: 'exception',
              at: end,
              attributes: { 'exception.type': error.code, 'exception.message': short(error.message) },
            },
          ]
        : []),
      ...(retryAt === null
        ? []
        : [
            {
              name: 'retry',
              at: end,
              attributes: {
                'yardmaster.retry.attempt': attempt + 1,
                'yardmaster.retry.backoff_ms': Math.max(0, retryAt - end),
              },
            },
          ]),
    ],
    error: failed ? short(error?.message ?? facts.state) : null,
  };
  return start > readyAt ? [wait, run] : [run];
}

const ofWorkflow = ({ plan, environment }: JobRecord) => ({
  'yardmaster.workflow.id': plan.workflowId,
  ...(environment === null ? {} : { 'yardmaster.environment': environment }),
});

const short = (text: string): string => (text.length > MESSAGE ? `${text.slice(0, MESSAGE)}…` : text);
