import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Access } from '../../access/port.ts';

/** Bytes that may wait for a slow reader before nothing more is written to it. */
const MAX_WAITING = 1024 * 1024;
const HEARTBEAT_MS = 15_000;
export const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** One open stream of server-sent events. */
export interface EventStream {
  /** False where the reader is too slow just now: write nothing, drop or merge instead. */
  readonly ready: boolean;
  write(text: string): void;
  end(): void;
  readonly closed: AbortSignal;
}

/**
 * Takes the answer over as a stream of server-sent events. `stillAllowed` is asked whenever a token or a session has
 * ended: a stream ends with the one that opened it.
 */
export function openEventStream(
  reply: FastifyReply,
  { onCredentialEnded }: Pick<Access, 'onCredentialEnded'>,
  stillAllowed: () => boolean,
): EventStream {
  reply.hijack();
  const { raw } = reply;
  const closed = new AbortController();
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': EVENT_STREAM,
    'x-accel-buffering': 'no',
  });
  raw.socket?.setTimeout(0);
  raw.socket?.setNoDelay(true);
  const heartbeat = setInterval(() => {
    if (raw.writableLength < MAX_WAITING) raw.write(': still here\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();
  const forget = onCredentialEnded(() => {
    if (!stillAllowed()) raw.destroy();
  });
  raw.on('error', () => undefined);
  raw.once('close', () => {
    clearInterval(heartbeat);
    forget();
    closed.abort();
  });
  return {
    get ready() {
      return raw.writableLength < MAX_WAITING;
    },
    write: (text) => void (raw.writableEnded || raw.write(text)),
    end: () => void raw.end(),
    closed: closed.signal,
  };
}

/** One event. `data` is JSON, so it has no line breaks. */
export const sseEvent = (data: string, event?: string, id?: number): string =>
  `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
