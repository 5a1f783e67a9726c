import { findSecretNames } from '../../../contract/secret-names.ts';
import type { Environment, JobStatus } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { EarlierCall, IdempotencyScope, JobResult, Jobs } from '../../jobs/port.ts';
import type { Runnable } from '../../workflows/port.ts';
import type { RedactResponse } from '../core/response-redaction.ts';
import { problemHeaders, toProblem, PROBLEM_TYPE } from '../core/problem.ts';
import type { Services } from '../core/services.ts';

/** An answer to an event call; `headers` as name, value, name, value … */
export interface EventReply {
  readonly status: number;
  readonly type: string;
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
}

/** Whoever waits for the answer; `gone` is called when the connection ends. */
export interface Caller {
  gone: (() => void) | null;
}

/** What is known of a call once its job is there. */
export interface EventCall {
  readonly caller: Caller;
  readonly requestId: string;
  readonly workflowId: string;
  readonly environment: Environment;
  readonly commit: string;
  readonly seconds: number;
  /** Without `Prefer`: a job that is not done in time is a 504, not a 202. */
  readonly patient: boolean;
  readonly applied: string | null;
  /** The version, or a child of it, is given secrets: the output is looked through for them. */
  readonly usesSecrets: boolean;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers event calls, and repeated ones as the first was answered. */
export function createEventAnswers({ durable, jobs, leaving }: Services, redact: RedactResponse) {
  /** Jobs whose first call with an idempotency key still waits for its answer. */
  const inFlight = new Map<string, number>();

  function headersFor(call: EventCall, jobId: string): string[] {
    return call.applied === null
      ? ['x-job-id', jobId, 'x-commit', call.commit]
      : ['x-job-id', jobId, 'x-commit', call.commit, 'preference-applied', call.applied];
  }

  function accept(call: EventCall, jobId: string, status: JobStatus): EventReply {
    const body = JSON.stringify({ jobId, status, statusUrl: statusUrl(call, jobId) });
    return {
      status: 202,
      type: JSON_TYPE,
      headers: [...headersFor(call, jobId), 'location', statusUrl(call, jobId)],
      body,
    };
  }

  /** The same of a call that waited: its repeats are to be told it too. */
  async function acceptLate(
    call: EventCall,
    jobId: string,
    status: JobStatus,
    scope: IdempotencyScope | null,
  ): Promise<EventReply> {
    if (scope) await jobs.acceptIdempotent(scope, jobId, status);
    return accept(call, jobId, status);
  }

  /** Waits for the job, and answers with what it came to by then. */
  async function waitForJob(call: EventCall, jobId: string, scope: IdempotencyScope | null): Promise<EventReply> {
    const { caller } = call;
    let outcome: JobResult;
    if (scope) inFlight.set(jobId, (inFlight.get(jobId) ?? 0) + 1);
    try {
      outcome = await jobs.wait(jobId, call.seconds, (leave) => (caller.gone = leave));
    } finally {
      caller.gone = null;
      if (scope) endInFlight(jobId);
    }
    return replyWith(call, outcome, scope);
  }

  /** The answer to a call that has waited. */
  async function replyWith(call: EventCall, outcome: JobResult, scope: IdempotencyScope | null): Promise<EventReply> {
    const { jobId } = outcome;
    const ending = end(call, outcome);
    const ended = ending instanceof Promise ? await ending : ending;
    if (ended) return ended;
    if (!call.patient || leaving?.()) return acceptLate(call, jobId, outcome.status, scope);
    const fault = new Fault(
      'WORKFLOW_TIMEOUT',
      `the job did not finish within ${call.seconds} s and is still running; follow it at statusUrl`,
      { extra: { jobId, statusUrl: statusUrl(call, jobId) } },
    );
    return problemReply(fault, call.requestId, headersFor(call, jobId));
  }

  /** 200 or 502; null while the job runs. A promise only where the output is fetched or looked through: most calls have nothing to wait for. */
  function end(call: EventCall, outcome: JobResult): EventReply | null | Promise<EventReply | null> {
    if (outcome.failure !== null) return fail(call, outcome);
    if (outcome.outputApart || call.usesSecrets) return endApart(call, outcome);
    return outcome.outputText === null ? null : succeed(call, outcome.jobId, outcome.outputText);
  }

  async function endApart(call: EventCall, { jobId, outputApart, outputText }: JobResult): Promise<EventReply | null> {
    const output = outputApart ? await jobs.outputJson(jobId) : outputText;
    if (output === null) return null;
    return succeed(call, jobId, call.usesSecrets ? await redact(output, true) : output);
  }

  const succeed = (call: EventCall, jobId: string, body: EventReply['body']): EventReply => ({
    status: 200,
    type: JSON_TYPE,
    headers: headersFor(call, jobId),
    body,
  });

  /** Names the job, not the request, as its instance: each repeat of the call gets the same bytes. */
  function fail(call: EventCall, { jobId, failure }: JobResult): EventReply {
    const { taskId, node, taskCode, taskMessage } = failure as NonNullable<JobResult['failure']>;
    return problemReply(
      new Fault('WORKFLOW_FAILED', `node ${node} failed with ${taskCode}: ${taskMessage}`, {
        extra: { jobId, taskId, node, taskCode, taskMessage },
      }),
      statusUrl(call, jobId),
      headersFor(call, jobId),
    );
  }

  function endInFlight(jobId: string): void {
    const others = (inFlight.get(jobId) ?? 1) - 1;
    if (others > 0) inFlight.set(jobId, others);
    else inFlight.delete(jobId);
  }

  return {
    /** Makes the job of a call that waits for it and has no idempotency key. */
    async call(call: EventCall, submission: Parameters<Jobs['call']>[0]): Promise<EventReply> {
      const { caller } = call;
      try {
        return await replyWith(call, await jobs.call(submission, call.seconds, (leave) => (caller.gone = leave)), null);
      } finally {
        caller.gone = null;
      }
    },

    /** `scope`: of the call's idempotency key, where it has one. */
    first(
      call: EventCall,
      jobId: string,
      status: JobStatus,
      scope: IdempotencyScope | null,
    ): EventReply | Promise<EventReply> {
      return call.seconds === 0 ? accept(call, jobId, status) : waitForJob(call, jobId, scope);
    },

    async repeat(
      call: EventCall,
      { jobId, bodyHash, accepted }: EarlierCall,
      scope: IdempotencyScope,
      body: string,
    ): Promise<EventReply> {
      // The first call may have been committed a moment ago, and not be safe yet.
      await durable();
      if (bodyHash !== body)
        throw new Fault(
          'IDEMPOTENCY_KEY_REUSED',
          'this idempotency key was used before with a different body; use a new key for a new call',
          { extra: { jobId } },
        );
      if (accepted !== null) return accept(call, jobId, accepted);
      if (inFlight.has(jobId))
        throw new Fault(
          'IDEMPOTENCY_IN_FLIGHT',
          'the first call with this idempotency key is still running; repeat this call later',
          { extra: { jobId, statusUrl: statusUrl(call, jobId) } },
        );
      if (call.seconds > 0) return waitForJob(call, jobId, scope);
      const outcome = await jobs.result(jobId);
      return (outcome && (await end(call, outcome))) ?? acceptLate(call, jobId, outcome?.status ?? 'RUNNING', scope);
    },
  };
}

const statusUrl = ({ workflowId, environment }: EventCall, jobId: string): string =>
  `/api/v1/events/${workflowId}/${environment}/jobs/${jobId}`;

/** Any error as the answer to an event call. */
export function problemReply(error: unknown, instance: string, headers: readonly string[] = []): EventReply {
  const problem = toProblem(error, instance);
  return {
    status: problem.status,
    type: PROBLEM_TYPE,
    headers: [...headers, ...problemHeaders(problem).flat()],
    body: JSON.stringify(problem),
  };
}

const usingSecrets = new WeakMap<Runnable, boolean>();

/** True where a version names secrets, or calls a workflow that may; looked at once. */
export function mayUseSecrets(runnable: Runnable): boolean {
  let uses = usingSecrets.get(runnable);
  if (uses === undefined) {
    uses = runnable.definition.nodes.some(
      ({ type, config = {} }) => callsWorkflow(type, config) || findSecretNames(type, config).length > 0,
    );
    usingSecrets.set(runnable, uses);
  }
  return uses;
}

const callsWorkflow = (type: string, config: Readonly<Record<string, unknown>>): boolean =>
  type === 'workflow' || (type === 'forEach' && isRecord(config['node']) && config['node']['type'] === 'workflow');
