import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { uuidv7 } from '../../../lib/uuid.ts';
import { readBody } from '../core/body.ts';
import { admitEvent, type Admission, type EventPath } from './event-admission.ts';
import { problemReply, type Caller, type EventReply } from './event-answer.ts';
import { refuseHost } from '../core/origin.ts';
import { isReported, toProblem } from '../core/problem.ts';
import { EVENT_HEADERS, SERVED_BY } from '../core/security-headers.ts';
import type { Services } from '../core/services.ts';

export interface EventHandler {
  /** Answers the request where it is an event call; false: it is none that is known by its URL at once. */
  request(request: IncomingMessage, response: ServerResponse): boolean;
  serve(request: IncomingMessage, response: ServerResponse, path: EventPath, requestId: string): void;
}

const EVENT_URL = /^\/api\/v1\/events\/([a-z0-9-]{1,100})\/([a-z]{1,20})$/;

/**
 * Event calls, straight from Node's server: what a framework does around a handler costs more than
 * the checks of an event call. The order of the checks is that of the contract.
 */
export function createEventHandler({
  services,
  report,
  take,
}: {
  services: Services;
  report(error: unknown, requestId: string): void;
  take(
    headers: IncomingHttpHeaders,
    caller: Caller,
    admission: Admission,
    body: Buffer,
    requestId: string,
  ): Promise<EventReply>;
}): EventHandler {
  const fixed = Object.entries({ ...EVENT_HEADERS, [SERVED_BY]: services.cluster.id }).flat();

  function admit(request: IncomingMessage, path: EventPath): Admission {
    const refused = refuseHost(request, services);
    if (refused) throw refused;
    return admitEvent(services, path, request.url ?? '', request);
  }
  function refusal(error: unknown, requestId: string): EventReply {
    if (isReported(toProblem(error, requestId))) report(error, requestId);
    return problemReply(error, requestId);
  }

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
    readBody(request, headers, services.limits.bodyBytes, (fault, body, unread) => {
      if (fault) return refuse(fault, unread);
      const caller: Caller = { gone: null };
      response.once('close', () => caller.gone?.());
      take(headers, caller, admission, body, requestId).then(
        (reply) => send(response, requestId, fixed, reply, false),
        refuse,
      );
    });
  }

  return {
    serve,
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
