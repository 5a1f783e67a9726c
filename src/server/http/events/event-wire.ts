import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller, EventReply } from './event-answer.ts';
import { createPlainCalls, type PlainCall } from './plain-call.ts';
import { EVENT_HEADERS } from '../core/security-headers.ts';

/** A longer body is the server's own parser's, which reads it piece by piece. */
const BODY_BYTES = 64 * 1024;
const FIXED = Object.entries(EVENT_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

export interface EventWire {
  /** Serves a call; `answer` is to be called once. */
  serve(call: PlainCall, caller: Caller, answer: (requestId: string, reply: EventReply) => void): void;
  /** Bytes that the body of a call may have. */
  bodyBytes(): number;
}

/**
 * Reads event calls straight off the connections of a server. Whatever is not plainly such a call goes to the server's
 * own parser, from its first byte on, and the connection stays there. A connection is one call at a time; what is sent
 * before the answer waits.
 */
export function serveEventCalls(server: Server, wire: EventWire): void {
  const parse = server.listeners('connection') as ((socket: Socket) => void)[];
  const read = createPlainCalls();
  const held = new Map<Socket, () => boolean>();
  const date = createDate();
  server.removeAllListeners('connection');
  server.on('connection', hold);
  closeToo(server, held);

  function hold(socket: Socket): void {
    const caller: Caller = { gone: null };
    let busy = false;
    /** What came and is not answered: another call behind this one, or one whose body has not come whole. */
    let kept: Buffer | null = null;
    let isPart = false;

    function onData(chunk: Buffer): void {
      kept = kept === null ? chunk : Buffer.concat([kept, chunk]);
      if (busy) socket.pause();
      else begin(kept);
    }

    function begin(bytes: Buffer): void {
      const call = read(bytes, Math.min(BODY_BYTES, wire.bodyBytes()));
      if (call === null || (call === 'more' && isPart)) return handOver(bytes);
      isPart = call === 'more';
      if (call === 'more') return;
      kept = bytes.length > call.size ? bytes.subarray(call.size) : null;
      busy = true;
      wire.serve(call, caller, answer);
    }

    function answer(requestId: string, reply: EventReply): void {
      busy = false;
      if (!socket.writable) return;
      const length = Buffer.byteLength(reply.body);
      const keptFor = server.listening ? server.keepAliveTimeout : null;
      const flows = socket.write(
        textOf(requestId, reply, length, date(), keptFor),
        length === reply.body.length ? 'latin1' : 'utf8',
      );
      if (keptFor === null) socket.end();
      else if (!flows) {
        // Who does not read its answers gets no more of them.
        busy = true;
        socket.pause();
        socket.once('drain', () => {
          busy = false;
          goOn();
        });
      } else if (kept !== null) setImmediate(goOn);
    }

    function goOn(): void {
      if (busy || socket.destroyed || !held.has(socket)) return;
      socket.resume();
      if (kept !== null && !isPart) begin(kept);
    }

    function handOver(bytes: Buffer | null): void {
      letGo();
      socket.pause();
      if (bytes !== null) socket.unshift(bytes);
      for (const listener of parse) listener.call(server, socket);
      socket.resume();
    }

    function letGo(): void {
      held.delete(socket);
      socket.setTimeout(0);
      socket
        .off('data', onData)
        .off('end', onEnd)
        .off('error', onError)
        .off('timeout', onTimeout)
        .off('close', onClose);
    }

    function onEnd(): void {
      if (isPart)
        server.emit(
          'clientError',
          Object.assign(new Error('the connection ended within a request'), { code: 'HPE_INVALID_EOF_STATE' }),
          socket,
        );
      else socket.end();
    }
    function onTimeout(): void {
      if (busy) return;
      // The server's own clocks say how long a request may take to come.
      if (isPart) handOver(kept);
      else socket.destroy();
    }
    function onClose(): void {
      held.delete(socket);
      caller.gone?.();
    }
    // It is followed by `close`.
    function onError(): void {}

    held.set(socket, () => busy);
    socket.on('data', onData).on('end', onEnd).on('error', onError).on('timeout', onTimeout).on('close', onClose);
    // As Node does, somewhat longer than the answers say: a call that is sent in the last moment still finds its connection.
    socket.setTimeout(server.keepAliveTimeout + server.keepAliveTimeoutBuffer);
  }
}

/** As Node writes it: the headers given, then those that every answer has; `keepAliveMs` null: the connection ends. Head and body are one write. */
function textOf(
  requestId: string,
  { status, type, headers, body }: EventReply,
  length: number,
  date: string,
  keepAliveMs: number | null,
): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\nx-request-id: ${requestId}\r\n${FIXED}`;
  for (let i = 0; i + 1 < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  const connection =
    keepAliveMs === null
      ? 'Connection: close'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}`;
  return `${text}content-type: ${type}\r\ncontent-length: ${length}\r\nDate: ${date}\r\n${connection}\r\n\r\n${body}`;
}

/** `Date` of answers, made once a second. */
function createDate(): () => string {
  let second = 0;
  let text = '';
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}

/** Connections that are held here are the server's too. */
function closeToo(server: Server, held: ReadonlyMap<Socket, () => boolean>): void {
  const { closeAllConnections, closeIdleConnections } = server;
  server.closeAllConnections = () => {
    closeAllConnections.call(server);
    for (const socket of held.keys()) socket.destroy();
  };
  server.closeIdleConnections = () => {
    closeIdleConnections.call(server);
    for (const [socket, isBusy] of held) if (!isBusy()) socket.destroy();
  };
}
