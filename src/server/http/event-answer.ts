import type { FastifyReply } from 'fastify';
import type { Environment, JobStatus } from '../../contract/vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import type { Outcome } from '../jobs/port.ts';
import { problemOf } from './problem.ts';
import type { Services } from './services.ts';

/** What is known of a call once its job is there. */
export interface EventCall {
  readonly workflowId: string;
  readonly environment: Environment;
  readonly commit: string;
  readonly seconds: number;
  /** Without `Prefer`: a job that is not done in time is a 504, not a 202. */
  readonly patient: boolean;
  readonly applied: string | null;
}

const MOST_REMEMBERED = 10_000;
const ENDED = '';

/** Answers event calls, and repeated ones as the first was answered. */
export function createAnswers({ jobs }: Services) {
  /** Jobs whose first call with an idempotency key still waits for its answer. */
  const inFlight = new Map<string, number>();
  /** What a job's first call was told: the body of its 202, or ENDED. After a restart a repeat that waits waits for the same job instead. */
  const told = new Map<string, string>();

  function headersFor(reply: FastifyReply, call: EventCall, jobId: string): FastifyReply {
    reply.header('x-job-id', jobId).header('x-commit', call.commit);
    return call.applied === null ? reply : reply.header('preference-applied', call.applied);
  }

  function accept(reply: FastifyReply, call: EventCall, jobId: string, body: string): FastifyReply {
    return headersFor(reply, call, jobId).code(202).header('location', statusUrl(call, jobId)).header('content-type', 'application/json; charset=utf-8').send(body);
  }

  function acceptedBody(call: EventCall, jobId: string, status: JobStatus, remember: boolean): string {
    const body = JSON.stringify({ jobId, status, statusUrl: statusUrl(call, jobId) });
    if (remember) note(jobId, body);
    return body;
  }

  function note(jobId: string, answer: string): void {
    if (told.size >= MOST_REMEMBERED) told.delete(told.keys().next().value as string);
    told.set(jobId, answer);
  }

  /** Waits for the job, and answers with what it came to by then. */
  async function answer(reply: FastifyReply, call: EventCall, jobId: string, remember: boolean): Promise<FastifyReply> {
    // An AbortController would do as well, at a hundredth of the price of the whole call.
    let leaveWait = () => {};
    const socket = reply.raw;
    const onClose = () => leaveWait();
    socket.once('close', onClose);
    let outcome: Outcome;
    if (remember) inFlight.set(jobId, (inFlight.get(jobId) ?? 0) + 1);
    try {
      outcome = await jobs.wait(jobId, call.seconds, (leave) => (leaveWait = leave));
    } finally {
      socket.off('close', onClose);
      if (remember) leave(jobId);
    }
    const ended = end(reply, call, outcome);
    if (ended) {
      if (remember) note(jobId, ENDED);
      return ended;
    }
    if (!call.patient) return accept(reply, call, jobId, acceptedBody(call, jobId, outcome.status, remember));
    headersFor(reply, call, jobId);
    throw new Fault('WORKFLOW_TIMEOUT', `the workflow did not end within ${call.seconds} s; it goes on, and statusUrl tells how`, { extra: { jobId, statusUrl: statusUrl(call, jobId) } });
  }

  /** 200 or 502; null while the job runs. */
  function end(reply: FastifyReply, call: EventCall, outcome: Outcome): FastifyReply | null {
    if (outcome.failure !== null) return fail(reply, call, outcome);
    return outcome.outputText === null ? null : headersFor(reply, call, outcome.jobId).header('content-type', 'application/json; charset=utf-8').send(outcome.outputText);
  }

  /** Names the job, not the request, as its instance: each repeat of the call gets the same bytes. */
  function fail(reply: FastifyReply, call: EventCall, { jobId, failure }: Outcome): FastifyReply {
    const { taskId, node, taskCode, taskMessage } = failure as NonNullable<Outcome['failure']>;
    const problem = problemOf(new Fault('WORKFLOW_FAILED', `the node ${node} failed with ${taskCode}: ${taskMessage}`, { extra: { jobId, taskId, node, taskCode, taskMessage } }), statusUrl(call, jobId));
    return headersFor(reply, call, jobId).code(problem.status).header('content-type', 'application/problem+json; charset=utf-8').send(JSON.stringify(problem));
  }

  function leave(jobId: string): void {
    const others = (inFlight.get(jobId) ?? 1) - 1;
    if (others > 0) inFlight.set(jobId, others);
    else inFlight.delete(jobId);
  }

  return {
    first(reply: FastifyReply, call: EventCall, jobId: string, status: JobStatus, remember: boolean): FastifyReply | Promise<FastifyReply> {
      return call.seconds === 0 ? accept(reply, call, jobId, acceptedBody(call, jobId, status, remember)) : answer(reply, call, jobId, remember);
    },

    async repeat(reply: FastifyReply, call: EventCall, earlier: { jobId: string; bodyHash: string }, bodyHash: string): Promise<FastifyReply> {
      const { jobId } = earlier;
      if (earlier.bodyHash !== bodyHash) throw new Fault('IDEMPOTENCY_KEY_REUSED', 'this idempotency key came with another body before; use a new key for a new call', { extra: { jobId } });
      const before = told.get(jobId);
      if (before !== undefined && before !== ENDED) return accept(reply, call, jobId, before);
      if (inFlight.has(jobId)) throw new Fault('IDEMPOTENCY_IN_FLIGHT', 'the first call with this idempotency key still waits for its answer; repeat this one later', { extra: { jobId, statusUrl: statusUrl(call, jobId) } });
      if (call.seconds > 0) return answer(reply, call, jobId, true);
      const outcome = await jobs.outcome(jobId);
      const ended = before === ENDED && outcome !== null ? end(reply, call, outcome) : null;
      if (ended) return ended;
      // The first call was answered before a restart: what an asynchronous one was told then follows from the job.
      return accept(reply, call, jobId, acceptedBody(call, jobId, outcome?.status === 'EMPTY' ? 'EMPTY' : 'RUNNING', true));
    },
  };
}

const statusUrl = ({ workflowId, environment }: EventCall, jobId: string): string => `/api/v1/events/${workflowId}/${environment}/jobs/${jobId}`;
