import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import type { ErrorCode, Problem } from '../../../contract/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { toProblem } from './problem.ts';
import { SERVED_BY } from './security-headers.ts';

const KNOWN: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'the request line and headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['BODY_TOO_LARGE', 'the chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'the request did not arrive in time'],
};

/** What is no HTTP has no request to answer: the problem goes on the bare socket, which is then closed. */
export const onClientError =
  (masterId: string) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [code, detail] = KNOWN[error.code ?? ''] ?? (['BAD_REQUEST', 'the request is not valid HTTP'] as const);
    writeProblem(socket, masterId, new Fault(code, detail));
  };

/** A whole HTTP answer with a problem, where there is a socket but no reply (also before an upgrade). */
export function writeProblem(
  socket: Pick<Socket, 'end'>,
  masterId: string,
  fault: Fault,
  headers: readonly string[] = [],
): void {
  const requestId = uuidv7();
  const problem: Problem = toProblem(fault, requestId);
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? 'Error'}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      `${SERVED_BY}: ${masterId}`,
      'connection: close',
      ...headers,
      '',
      body,
    ].join('\r\n'),
  );
}
