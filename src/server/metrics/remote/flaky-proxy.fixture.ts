import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** How the proxy takes one request. */
export type Fault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Record<string, string>;
    }
  /** The server behind has done it, and nobody learns of it. */
  | { readonly kind: 'lost' }
  /** The connection ends when so many bytes of the answer were sent. */
  | { readonly kind: 'cut'; readonly after: number }
  | { readonly kind: 'silent' }
  | null;

export interface FlakyProxy {
  readonly url: string;
  /** Decides on each request; null: it passes. */
  fault: (path: string, body: string) => Fault;
  readonly seen: { readonly path: string; readonly body: string }[];
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Stands before a server and fails as it is told. Stopped after the test. */
export async function flakyProxy(to: string): Promise<FlakyProxy> {
  const target = new URL(to);
  let port = 0;
  const seen: { path: string; body: string }[] = [];
  const server = createServer((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    const path = request.url ?? '/';
    seen.push({ path, body });
    const fault = proxy.fault(path, body);
    if (fault?.kind === 'silent') return;
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      response.end(fault.body ?? '');
      return;
    }
    const passed = forward(
      {
        host: target.hostname,
        port: target.port,
        path,
        method: request.method,
        headers: { ...request.headers, host: target.host },
      },
      (answer) => {
        if (fault?.kind === 'lost') {
          answer.resume().on('end', () => response.destroy());
          return;
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        if (fault?.kind !== 'cut') return void answer.pipe(response);
        answer.once('data', (piece: Buffer) => {
          response.write(piece.subarray(0, fault.after), () => response.destroy());
          answer.destroy();
        });
      },
    );
    passed.on('error', () => response.destroy());
    passed.end(bytes);
  }

  const proxy: FlakyProxy = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    fault: () => null,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    start: () =>
      new Promise((resolve) => {
        server.listen(port, '127.0.0.1', () => {
          port = (server.address() as AddressInfo).port;
          resolve();
        });
      }),
  };
  await proxy.start();
  onTestFinished(() => (server.listening ? proxy.stop() : undefined));
  return proxy;
}
