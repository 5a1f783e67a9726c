import type { IncomingMessage, ServerResponse } from 'node:http';
import { uuidv7 } from '../../lib/uuid.ts';
import { readBody } from './body.ts';
import { admitEvent, type Admission, type EventPath } from './event-admit.ts';
import { problemReply, type EventReply } from './event-answer.ts';
import { refuseHost } from './origin.ts';
import { problemOf } from './problem.ts';
import { EVENT_HEADERS } from './security.ts';
import type { Services } from './services.ts';

export interface EventDoor {
  /** Answers the request where it is an event call; false: it is none that is known by its URL at once. */
  request(request: IncomingMessage, response: ServerResponse): boolean;
  serve(request: IncomingMessage, response: ServerResponse, path: EventPath, requestId: string): void;
}

const EVENT_URL = /^\/api\/v1\/events\/([a-z0-9-]{1,100})\/([a-z]{1,20})$/;
const FIXED = Object.entries(EVENT_HEADERS).flat();

/**
 * Event calls, straight from Node's server: what a framework does around a handler costs more than the checks of an
 * event call. The order of the checks is that of the contract (§3).
 */
export function createEventDoor({ services, report, take }: {
  services: Services;
  report(error: unknown, requestId: string): void;
  take(request: IncomingMessage, response: ServerResponse, admission: Admission, body: Buffer, requestId: string): Promise<EventReply>;
}): EventDoor {
  function serve(request: IncomingMessage, response: ServerResponse, path: EventPath, requestId: string): void {
    const { headers } = request;
    const refuse = (error: unknown, close = false): void => {
      if (problemOf(error, requestId).code === 'INTERNAL') report(error, requestId);
      send(response, requestId, problemReply(error, requestId), close);
    };
    let admission: Admission;
    try {
      const refused = refuseHost(headers, services, request.rawHeaders, request.httpVersion);
      if (refused) throw refused;
      admission = admitEvent(services, path, request.url ?? '', headers);
    } catch (error) {
      return refuse(error);
    }
    readBody(request, headers, services.limits.bodyBytes, (fault, body, unread) => {
      if (fault) return refuse(fault, unread);
      take(request, response, admission, body, requestId).then((reply) => send(response, requestId, reply, false), refuse);
    });
  }

  return {
    serve,
    request(request, response) {
      if (request.method !== 'POST') return false;
      const found = EVENT_URL.exec(request.url ?? '');
      if (found === null) return false;
      serve(request, response, { workflowId: found[1] as string, environment: found[2] as string }, uuidv7());
      return true;
    },
  };
}

/** Head and body are one write. */
function send(response: ServerResponse, requestId: string, { status, type, headers, body }: EventReply, close: boolean): void {
  response.writeHead(status, ['x-request-id', requestId, ...FIXED, ...headers, 'content-type', type, 'content-length', String(Buffer.byteLength(body)), ...(close ? ['connection', 'close'] : [])]);
  response.end(body);
}
