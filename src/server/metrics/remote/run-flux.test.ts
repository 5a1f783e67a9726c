import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { createRemoteHttp } from '../../../lib/remote-http.ts';
import { runFlux, type OnRow, type QueryGuard } from './run-flux.ts';

/** Asks a system that answers in this way. */
async function ask(
  answer: (response: ServerResponse) => void,
  guard: QueryGuard = { signal: AbortSignal.timeout(30_000), seconds: 30, mostRows: 1000, settled: 0 },
  onRow: OnRow = () => {},
) {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createRemoteHttp({ url, headers: {}, ca: null }, 1);
  onTestFinished(() => {
    http.close();
    server.closeAllConnections();
    server.close();
  });
  return runFlux(http, { url, organization: 'o' }, 'program', guard, onRow);
}

it('takes a web page for no answer of a metric store', async () => {
  const page = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  await expect(ask(page)).rejects.toMatchObject({
    code: 'METRICS_UNAVAILABLE',
    message: expect.stringContaining('a web page'),
  });
});

it('ends with its time also where all of a packed answer is there', async () => {
  const HEAD = '#datatype,string,long,long\n#group,false,false,false\n#default,_result,,\n,result,table,_value\n';
  const ROWS = 1_000_000;
  const packed = gzipSync(HEAD + ',,0,7\n'.repeat(ROWS), { level: 1 });
  const time = new AbortController();
  let rows = 0;
  const answer = ask(
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    { signal: time.signal, seconds: 30, mostRows: ROWS, settled: 0 },
    () => {
      if (++rows === 10) time.abort(new DOMException('', 'TimeoutError'));
    },
  );
  await expect(answer).rejects.toMatchObject({ code: 'METRICS_TIMEOUT' });
  expect(rows).toBeLessThan(ROWS / 2);
});
