import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import type { ProcessIo } from './process-io.ts';
import { run } from './program.ts';

/** What a command may touch, with what it said. */
export function fakeIo(over: Partial<ProcessIo> = {}): { io: ProcessIo; out: string[]; err: string[] } {
  const out: string[] = [];
  const err: string[] = [];
  const io: ProcessIo = {
    env: {},
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    write: async (bytes) => void out.push(Buffer.from(bytes).toString()),
    stdin: async () => '',
    firstLine: async () => null,
    interactive: false,
    load: async () => ({}),
    stopped: new AbortController().signal,
    onParentGone: () => {},
    columns: null,
    ...over,
  };
  return { io, out, err };
}

export interface RecordedRequest {
  readonly method: string;
  /** Path and query, decoded. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A master for the tests of a file that answers as told: a string as it is, anything else as JSON, undefined where the answer has been sent. */
export function fakeMaster(answer: (asked: RecordedRequest, response: ServerResponse) => unknown) {
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const said = answer({ method, path: decodeURIComponent(url), headers, body: await text(request) }, response);
    if (said !== undefined)
      response
        .setHeader('content-type', 'application/json')
        .end(typeof said === 'string' ? said : JSON.stringify(said));
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    /** Runs a command against it. */
    async yardmaster(
      args: readonly string[],
      over: Partial<ProcessIo> = {},
    ): Promise<{ code: number; out: string; err: string }> {
      const { io, out, err } = fakeIo(over);
      const code = await run(
        [...args, '--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, '--token', 't'],
        io,
      );
      return { code, out: out.join('\n'), err: err.join('\n') };
    },
  };
}
