import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS } from '../../../contract/errors.ts';
import { uuidv7 } from '../../../lib/uuid.ts';

const RETRY_SECONDS = '1';
const DETAIL =
  'no master owns the state at the moment: repeat the request in a second, with the same idempotency key where it has one';

function noOwnerProblem(masterId: string) {
  const requestId = uuidv7();
  const [status, title] = ERRORS.NO_OWNER;
  const body = JSON.stringify({
    type: 'about:blank',
    title,
    status,
    detail: DETAIL,
    code: 'NO_OWNER',
    instance: requestId,
  });
  const headers = {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'retry-after': RETRY_SECONDS,
    'x-request-id': requestId,
    'x-served-by': masterId,
  };
  return { status, headers, body };
}

/** 503 `NO_OWNER`; of an answer that has begun, the connection is cut. */
export function refuseRequest(response: ServerResponse, masterId: string): void {
  if (response.headersSent) return void response.destroy();
  const { status, headers, body } = noOwnerProblem(masterId);
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

/** The same where an upgrade was asked for. */
export function refuseUpgrade(socket: Duplex, masterId: string): void {
  const { status, headers, body } = noOwnerProblem(masterId);
  const lines = Object.entries({ ...headers, connection: 'close' }).map((pair) => pair.join(': '));
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}
