import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { ROUTES } from '../../../contract/routes.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseTraceparent } from '../../../lib/trace-context.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import type { IdempotencyScope } from '../../jobs/port.ts';
import type { Runnable } from '../../workflows/port.ts';
import { parseBody, readBody } from '../core/body.ts';
import { admitEvent, admitKey, checkInputs, type Admission, type EventPath } from './event-admission.ts';
import { createEventAnswers, mayUseSecrets, problemReply, type Caller, type EventReply } from './event-answer.ts';
import type { EventLimits } from './event-limits.ts';
import { isLargeBody, readEventInThread } from '../core/large-body.ts';
import { optionalHeader, parseLabels, parsePrefer, parsePriority } from './event-headers.ts';
import { refuseHost } from '../core/origin.ts';
import { isReported, toProblem } from '../core/problem.ts';
import { JsonText, route, type App } from '../core/route.ts';
import { EVENT_HEADERS, SERVED_BY } from '../core/security-headers.ts';
import { STORE_REFUSES_WRITES, type Services } from '../core/services.ts';

const MAX_KEY = 255;
const EVENT_URL = /^\/api\/v1\/events\/([a-z0-9-]{1,100})\/([a-z]{1,20})$/;

export interface EventHandler {
  /** Answers the request where it is an event call; false: it is none that is known by its URL at once. */
  request(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * The event endpoint: the hot path, straight from Node's server, because what a framework does around a handler costs more
 * than the checks of an event call. All that can be known without the body is decided before it is read, in the order of
 * the contract; key and publication come from memory; the only waits are for the job's transaction and for its end. Gives
 * the handler that the server's requests go through first.
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
  const fixed = Object.entries({ ...EVENT_HEADERS, [SERVED_BY]: services.cluster.id }).flat();

  function serve(request: IncomingMessage, response: ServerResponse, path: EventPath, requestId: string): void {
    const { headers } = request;
    const refuse = (error: unknown, close = false): void =>
      send(response, requestId, fixed, refusal(error, requestId), close);
    let admission: Admission;
    try {
      admission = admit(request, path);
    } catch (error) {
      return refuse(error);
    }
    readBody(request, headers, limits.bodyBytes, (fault, body, unread) => {
      if (fault) return refuse(fault, unread);
      const caller: Caller = { gone: null };
      response.once('close', () => caller.gone?.());
      answerCall(headers, caller, admission, body, requestId).then(
        (reply) => send(response, requestId, fixed, reply, false),
        refuse,
      );
    });
  }

  function admit(request: IncomingMessage, path: EventPath): Admission {
    const refused = refuseHost(request, services);
    if (refused) throw refused;
    return admitEvent(services, path, request.url ?? '', request);
  }

  function refusal(error: unknown, requestId: string): EventReply {
    if (isReported(toProblem(error, requestId))) report(error, requestId);
    return problemReply(error, requestId);
  }

  /** Counted among the calls under way until it is answered. */
  async function answerCall(
    headers: IncomingHttpHeaders,
    caller: Caller,
    admission: Admission,
    body: Buffer,
    requestId: string,
  ): Promise<EventReply> {
    const leave = load.enter(body.length);
    try {
      return await submitCall(headers, caller, admission, body, requestId);
    } finally {
      leave();
    }
  }

  /** Makes its job, or finds that of the earlier call with the same idempotency key. */
  async function submitCall(
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

  function readInputs(body: Buffer, runnable: Runnable): readonly unknown[] {
    const { value, plain } = parseBody(body, limits);
    return checkInputs(value, plain, runnable, limits);
  }

  // What is not known by its URL at once (an escape in it, say), and requests that came without a server.
  table.add('POST', ROUTES['events.send'].path, {
    onRequest(request, reply) {
      reply.hijack();
      // By the path of the route.
      serve(request.raw, reply.raw, request.params as EventPath, request.id);
    },
    handler: (_request, reply) => reply,
  });
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
  return {
    request(request, response) {
      if (request.method !== 'POST') return false;
      const found = EVENT_URL.exec(request.url ?? '');
      if (found === null) return false;
      serve(request, response, { workflowId: found[1] ?? '', environment: found[2] ?? '' }, uuidv7());
      return true;
    },
  };
}

/** Head and body are one write. */
export function send(
  response: ServerResponse,
  requestId: string,
  fixed: readonly string[],
  { status, type, headers, body }: EventReply,
  close: boolean,
): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(status, [
    'x-request-id',
    requestId,
    ...fixed,
    ...headers,
    'content-type',
    type,
    'content-length',
    String(length),
    ...(close ? ['connection', 'close'] : []),
  ]);
  if (typeof body !== 'string') response.end(body);
  // Text without other characters is written as it lies in memory.
  else response.end(body, length === body.length ? 'latin1' : 'utf8');
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
