import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ROUTES } from '../../../contract/routes.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseTraceparent } from '../../../lib/trace-context.ts';
import type { IdempotencyScope } from '../../jobs/port.ts';
import type { Runnable } from '../../workflows/port.ts';
import { parseBody } from '../core/body.ts';
import { admitKey, checkInputs, type Admission, type EventPath } from './event-admission.ts';
import { createEventAnswers, mayUseSecrets, type Caller, type EventReply } from './event-answer.ts';
import { createEventHandler, type EventHandler } from './event-handler.ts';
import type { EventLimits } from './event-limits.ts';
import { isLargeBody, readEventInThread } from '../core/large-body.ts';
import { optionalHeader, parseLabels, parsePrefer, parsePriority } from './event-headers.ts';
import { JsonText, route, type App } from '../core/route.ts';
import { STORE_REFUSES_WRITES, type Services } from '../core/services.ts';

const MAX_KEY = 255;

/**
 * The event endpoint: the hot path. All that can be known without the body is decided before it is read;
 * key and publication come from memory; the only waits are for the job's transaction and for its end. Gives the door that
 * the server's requests go through first.
 */
export function eventRoutes(
  app: App,
  load: EventLimits,
  report: (error: unknown, requestId: string) => void,
): EventHandler {
  const { table, services } = app;
  const { jobs, limits } = services;
  const answers = createEventAnswers(services, app.shown('events.send'));
  const shownStatus = app.shown('events.status');

  function readInputs(body: Buffer, runnable: Runnable): readonly unknown[] {
    const { value, plain } = parseBody(body, limits);
    return checkInputs(value, plain, runnable, limits);
  }

  const door = createEventHandler({ services, report, take });
  // What the door does not know by its URL at once (an escape in it, say), and requests that came without a server.
  table.add('POST', ROUTES['events.send'].path, {
    onRequest(request, reply) {
      reply.hijack();
      // By the path of the route.
      door.serve(request.raw, reply.raw, request.params as EventPath, request.id);
    },
    handler: (_request, reply) => reply,
  });

  async function take(
    headers: IncomingHttpHeaders,
    caller: Caller,
    admission: Admission,
    body: Buffer,
    requestId: string,
  ): Promise<EventReply> {
    const leave = load.enter(body.length);
    try {
      return await run(headers, caller, admission, body, requestId);
    } finally {
      leave();
    }
  }

  async function run(
    headers: IncomingHttpHeaders,
    caller: Caller,
    { key, environment, runnable }: Admission,
    body: Buffer,
    requestId: string,
  ): Promise<EventReply> {
    const fromThread =
      isLargeBody(body, limits) || runnable.largeSchema === true
        ? await readEventInThread(services.offload, body, runnable)
        : null;
    const inputs = fromThread?.inputs ?? readInputs(body, runnable);
    const preference = parsePrefer(headers.prefer, limits.preferWaitSeconds);
    // How long the caller waits, and whether an unfinished job is then a 202.
    const call = {
      caller,
      requestId,
      workflowId: runnable.workflowId,
      environment,
      commit: runnable.commit,
      seconds: preference.wait ?? (preference.respondAsync ? 0 : limits.eventWaitSeconds),
      patient: preference.wait === null && !preference.respondAsync,
      applied: preference.applied,
      usesSecrets: mayUseSecrets(runnable),
    };

    const externalId = optionalHeader(headers['x-external-id'], 'x-external-id', 512);
    const priority = parsePriority(headers['x-priority']);
    const labels = parseLabels(headers['x-labels'], limits.labels);
    const idempotencyKey = optionalHeader(headers['idempotency-key'], 'Idempotency-Key', MAX_KEY);
    const scope =
      idempotencyKey === null
        ? null
        : { keyId: key.id, workflowId: runnable.workflowId, environment, key: idempotencyKey };
    const idempotency = scope && {
      keyId: scope.keyId,
      key: scope.key,
      bodyHash: fromThread?.bodyHash ?? hash('sha256', body, 'hex'),
    };
    if (scope && idempotency) {
      const earlier = jobs.findIdempotent(scope);
      if (earlier) return answers.repeat(call, earlier, scope, idempotency.bodyHash);
    }

    assertStoreWritable(services);
    load.check(key, runnable.workflowId);
    // Input and output are structure: a workflow of these alone needs no worker.
    if (call.seconds > 0 && !services.workers.anyAlive && runnable.graph.nodes.size > 2)
      throw new Fault('NO_WORKERS', 'no worker is online: start one, or call with `Prefer: respond-async`', {
        extra: { retryAfterSeconds: 5 },
      });

    const submission = {
      runnable,
      environment,
      kind: 'event' as const,
      inputs,
      externalId,
      labels,
      trace: parseTraceparent(headers['traceparent']),
      priority,
      keySeq: key.seq,
      replicaRunTimeoutSeconds: null,
    };
    if (idempotency === null && call.seconds > 0) return answers.call(call, submission);
    const submitted = await jobs.submit({ ...submission, idempotency, awaited: call.seconds > 0 });
    if (submitted.kind === 'created') return answers.first(call, submitted.jobId, submitted.status, scope);
    // Only a key of idempotency makes a call a repetition.
    return answers.repeat(call, submitted, scope as IdempotencyScope, idempotency?.bodyHash ?? '');
  }

  route(
    app,
    'events.status',
    async ({ params }) =>
      // Admitted: the environment is one.
      new JsonText(
        await shownStatus(
          await jobs.eventStatusJson(params.jobId, params.workflowId, params.environment as Environment),
          false,
        ),
      ),
    // By the path of the route.
    (request) => void admitKey(services, request.params as EventPath, request),
  );
  return door;
}

/** Throws SHUTTING_DOWN, or STORE_UNAVAILABLE, where the master takes no new work. */
export function assertStoreWritable(services: Services): void {
  const reasons = services.notReady();
  if (reasons.length > 0)
    throw new Fault(
      reasons.every((reason) => reason === STORE_REFUSES_WRITES) ? 'STORE_UNAVAILABLE' : 'SHUTTING_DOWN',
      `${reasons.join('; ')}: retry in a moment`,
      { extra: { retryAfterSeconds: 2 } },
    );
}
