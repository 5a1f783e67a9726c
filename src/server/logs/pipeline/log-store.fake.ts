import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A log store for tests: it keeps each batch id once, and answers as it is told. */
export async function startFakeStore(port = 0) {
  const seen = new Set<string>();
  const lines: string[] = [];
  const requests: { headers: IncomingHttpHeaders; lines: string[] }[] = [];
  /** Status and text for a batch; null: hang up without an answer. */
  let answer: (lines: string[], id: string) => [number, string] | null = () => [200, ''];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body =
      request.headers['content-encoding'] === 'gzip' ? gunzipSync(Buffer.concat(chunks)) : Buffer.concat(chunks);
    const got = body
      .toString()
      .split('\n')
      .filter((line) => line !== '');
    const id = String(request.headers['x-batch-id']);
    requests.push({ headers: request.headers, lines: got });
    const told = answer(got, id);
    const store = () => {
      if (!seen.has(id)) lines.push(...got);
      seen.add(id);
    };
    if (told === null) {
      // The answer is lost, the batch is not.
      store();
      return void request.socket.destroy();
    }
    if (told[0] === 200) store();
    response.writeHead(told[0]).end(told[1]);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    lines,
    requests,
    records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    messages: () => lines.map((line) => String((JSON.parse(line) as { _msg: string })._msg)),
    reply(next: typeof answer) {
      answer = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
export type FakeStore = Awaited<ReturnType<typeof startFakeStore>>;
