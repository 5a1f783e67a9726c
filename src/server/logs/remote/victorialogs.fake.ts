import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A log store over HTTP that does what a test says, for what a real one does only rarely. */
export interface FakeVictoriaLogs {
  readonly url: string;
  /** Paths that were asked for, with their arguments. */
  readonly asked: { path: string; args: URLSearchParams; headers: IncomingMessage['headers'] }[];
  /** What it does with a request; the arguments are those of the query string and of the form. */
  answer: (path: string, response: ServerResponse, args: URLSearchParams, body: Buffer) => void;
  close(): Promise<void>;
}

export async function startFakeVictoriaLogs(): Promise<FakeVictoriaLogs> {
  const asked: FakeVictoriaLogs['asked'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://h');
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
      const args = isForm
        ? new URLSearchParams([...searchParams, ...new URLSearchParams(body.toString())])
        : searchParams;
      asked.push({ path: pathname, args, headers: request.headers });
      fake.answer(pathname, response, args, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeVictoriaLogs = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (_path, response) => void response.end(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

/** Lines as a log store answers them. */
export const rowsText = (rows: readonly Record<string, string>[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');
