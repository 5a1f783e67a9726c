import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { threeMasters } from '../lib/cluster.fixture.ts';
import { fakeIo } from './process-io.fake.ts';
import { run } from './program.ts';

/** Addresses of several masters: the command goes on with whichever serves. */

async function master(code: string | null): Promise<{ url: string; asked: string[]; server: Server }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (code === null) response.setHeader('content-type', 'application/json').end(JSON.stringify(threeMasters()));
    else
      response
        .writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '0' })
        .end(JSON.stringify({ code, detail: 'nobody owns the state' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => (server.closeAllConnections(), void server.close()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}
async function gone(): Promise<string> {
  const { url, server } = await master(null);
  await new Promise((resolve) => server.close(resolve));
  return url;
}
async function cluster(url: string) {
  const { io, out, err } = fakeIo();
  const code = await run(['cluster', '--json', '--url', url, '--token', 't'], io);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

it('a command goes on with the next address where one cannot be reached, or has no owner for longer', async () => {
  const serving = await master(null);
  const orphaned = await master('NO_OWNER');
  const { code, out } = await cluster(`${await gone()}, ${orphaned.url}/,${serving.url}`);
  expect([code, JSON.parse(out).mode]).toEqual([0, 'cluster']);
  expect([orphaned.asked.length, serving.asked.length]).toEqual([2, 1]);
});

it('names all addresses where none can be reached', async () => {
  const [a, b] = [await gone(), await gone()];
  const { code, err } = await cluster(`${a},${b}`);
  expect(code).toBe(1);
  expect(JSON.parse(err)).toMatchObject({ code: 'MASTER_UNREACHABLE' });
  expect(JSON.parse(err).detail).toContain(`no response from ${a} or ${b} (ECONNREFUSED)`);
});

it.each([
  ['http://127.0.0.1:8700,ftp://b', 'ftp://b'],
  [',', ','],
])('refuses the addresses %s', async (url, wrong) => {
  const { code, err } = await cluster(url);
  expect([code, JSON.parse(err).detail]).toEqual([2, expect.stringContaining(`got "${wrong}"`)]);
});

it('sends no token in the clear to any of them', async () => {
  const { code, err } = await cluster('https://a.example.org,http://b.example.org');
  expect([code, JSON.parse(err).detail]).toEqual([2, expect.stringContaining('http://b.example.org is on another')]);
});
