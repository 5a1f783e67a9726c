import { timingSafeEqual } from 'node:crypto';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { MAY_READ, parseReadThere, READ_THERE } from '../../../lib/copy-read.ts';
import type { ReadHere } from '../replica/replica-reads.ts';
import type { Forwarded } from './dispatch.ts';

/** Says that a request was forwarded by a master of this cluster, which no other can say; and from whom it came. */
export const FORWARDED_BY = 'x-yardmaster-forwarded';
export const CLIENT_ADDRESS = 'x-yardmaster-client';

/** How often a request was forwarded by masters of this cluster; 0: by none. */
export function hopsOf(headers: IncomingHttpHeaders, credential: string): number {
  const [by, hops] = (headers[FORWARDED_BY]?.toString() ?? '').split(' ');
  return isSame(by ?? '', credential) ? Number(hops) || 1 : 0;
}

/** In a time that tells nothing of the credential. */
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1'));

/** Headers that belong to one connection, and not to the request that it carries. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'te', 'trailer']);

export interface Forwarder {
  /**
   * Sends the request on; `failed` is called where there is no answer: it can be tried again where nothing was sent; `held`
   * where the other master waits for an owner with it. Gives what cuts it.
   */
  request(
    owner: string,
    request: IncomingMessage,
    response: ServerResponse,
    told: Pick<Forwarded, 'failed' | 'held'>,
    /** What the owner leaves to this master is read by this; null: it reads nothing. */
    readHere: ReadHere | null,
  ): () => void;
  upgrade(owner: string, request: IncomingMessage, socket: Duplex, head: Buffer, failed: () => void): () => void;
  close(): void;
}

/** Headers of an answer that is made here. */
const MADE_HERE = new Set([READ_THERE, 'x-served-by', 'content-length']);
const READ_BYTES = 1024 * 1024;
/** What a master says of a request that it holds, before it answers. */
const PROCESSING = 102;

/** Forwards what this master cannot answer to the owner. The body is streamed; what the owner answers is handed on as it is. */
export function createForwarder(credential: string, masterId: string, connectMs: number): Forwarder {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

  function optionsOf(owner: string, request: IncomingMessage): RequestOptions {
    const hops = hopsOf(request.headers, credential);
    const { protocol, hostname, port } = new URL(owner);
    return {
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method: request.method,
      path: request.url,
      headers: [
        ...request.rawHeaders.filter((_, i) => !isDropped(request.rawHeaders[i - (i % 2)] ?? '')),
        FORWARDED_BY,
        `${credential} ${hops + 1}`,
        CLIENT_ADDRESS,
        (hops > 0 ? request.headers[CLIENT_ADDRESS]?.toString() : request.socket.remoteAddress) ?? '',
      ],
      agent: protocol === 'https:' ? agents.https : agents.http,
    };
  }
  const isDropped = (name: string): boolean => {
    const lower = name.toLowerCase();
    return OF_CONNECTION.has(lower) || lower === FORWARDED_BY || lower === CLIENT_ADDRESS || lower === MAY_READ;
  };
  const send = (options: RequestOptions) => (options.protocol === 'https:' ? httpsRequest : httpRequest)(options);

  const forward: Forwarder['request'] = (owner, request, response, told, readHere) => {
    const { failed, held } = told;
    const options = optionsOf(owner, request);
    const { headers } = request;
    if (headers['transfer-encoding'] !== undefined) (options.headers as string[]).push('transfer-encoding', 'chunked');
    const offers = readHere !== null && request.method === 'GET' && !hasBody(headers);
    if (offers) (options.headers as string[]).push(MAY_READ, '1');
    const onward = send(options);
    let isCut = false;
    let cut = (): void => {
      isCut = true;
      onward.destroy(new Error('another master owns the state'));
    };
    let connected = false;
    const begin = (): void => {
      connected = true;
      if (request.readableEnded) onward.end();
      else request.pipe(onward);
    };
    // Nothing of the body is read before there is a connection: until then the request can go to another.
    onward.once('socket', (socket) => {
      if (!socket.connecting) return begin();
      const timer = setTimeout(() => socket.destroy(new Error('no connection')), connectMs);
      socket.once(options.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        begin();
      });
      socket.once('close', () => clearTimeout(timer));
    });
    onward.on('information', ({ statusCode }) => statusCode === PROCESSING && held());
    onward.once('response', (answer) => {
      if (offers && answer.headers[READ_THERE] !== undefined)
        return answerHere(answer, response, readHere, () => {
          response.off('close', gone);
          if (isCut) return failed(true);
          cut = forward(owner, request, response, told, null);
        });
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
      response.flushHeaders();
      answer.pipe(response);
      answer.once('error', () => response.destroy());
      answer.once('aborted', () => response.destroy());
    });
    const gone = (): void => void onward.destroy();
    onward.once('error', () => {
      request.unpipe(onward);
      response.off('close', gone);
      if (response.headersSent || response.destroyed) return void response.destroy();
      failed(connected);
    });
    response.once('close', gone);
    return () => cut();
  };

  /** With what this master reads itself, and the headers of the owner; `again` where it cannot. */
  function answerHere(answer: IncomingMessage, response: ServerResponse, readHere: ReadHere, again: () => void): void {
    const left = new AbortController();
    const leave = (): void => left.abort();
    response.once('close', leave);
    readText(answer)
      .then((text) => {
        const read = parseReadThere(text);
        if (read === null) throw new Error('the owner asks for what this version does not know');
        return readHere(read, left.signal);
      })
      .then(
        (json) => {
          const kept = endToEnd(answer.rawHeaders).filter(
            (_, i, all) => !MADE_HERE.has(all[i - (i % 2)]?.toLowerCase() ?? ''),
          );
          response.writeHead(200, [
            ...kept,
            'x-served-by',
            masterId,
            'content-length',
            String(Buffer.byteLength(json)),
          ]);
          response.end(json);
        },
        () => {
          response.off('close', leave);
          if (!response.destroyed) again();
        },
      );
  }

  return {
    request: forward,

    upgrade(owner, request, socket, head, failed) {
      const options = optionsOf(owner, request);
      (options.headers as string[]).push('connection', 'Upgrade');
      const onward = send({ ...options, agent: false });
      let answered = false;
      const gone = (): void => void onward.destroy();
      socket.once('close', gone);
      let cut = (): void => void onward.destroy(new Error('another master owns the state'));
      onward.once('upgrade', (answer, there, rest) => {
        answered = true;
        cut = () => void there.destroy();
        socket.write(headOf(answer));
        if (rest.length > 0) socket.write(rest);
        if (head.length > 0) there.write(head);
        tie(socket, there);
      });
      onward.once('response', (answer) => {
        answered = true;
        socket.write(headOf(answer));
        answer.pipe(socket);
      });
      onward.once('error', () => {
        socket.off('close', gone);
        if (answered) socket.destroy();
        else failed();
      });
      onward.end();
      return () => cut();
    },

    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function readText(answer: IncomingMessage): Promise<string> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) {
    text += String(chunk);
    if (text.length > READ_BYTES) throw new Error('the owner says too much');
  }
  return text;
}

function tie(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.once('close', () => to.destroy());
    from.pipe(to);
  }
}

function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, i) => !OF_CONNECTION.has((rawHeaders[i - (i % 2)] ?? '').toLowerCase()));
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = Array.from(
    { length: rawHeaders.length / 2 },
    (_, i) => `${rawHeaders[2 * i]}: ${rawHeaders[2 * i + 1]}`,
  );
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n');
}
