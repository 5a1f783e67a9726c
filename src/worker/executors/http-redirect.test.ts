import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TaskExecutionError } from '../task-execution-error.ts';
import { createExecutorTools } from './executors.fixture.ts';

const TOKEN = 'Hunter-22/x9kQz';

interface Seen {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}
let servers: Server[];
let tools: ReturnType<typeof createExecutorTools>;

beforeEach(() => {
  servers = [];
  tools = createExecutorTools(undefined, { secrets: { TOKEN: { value: TOKEN } } });
});
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await tools.close();
});

/** A server of its own origin: answers with the status and location that it is told, and keeps what it is sent. */
async function origin(answer: () => { status: number; location?: string; text?: string }) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ method: request.method, headers: request.headers, body });
      const { status, location, text = '' } = answer();
      response.writeHead(status, location === undefined ? {} : { location }).end(text);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

const call = (url: string, more: Record<string, unknown> = {}) =>
  tools.run(
    'http',
    {
      method: 'POST',
      url,
      headers: {
        authorization: 'Bearer {{secrets.TOKEN}}',
        cookie: 'a=b',
        'x-api-key': 'plain',
        'x-encoded': '{{ $base64encode("user:" & secrets.TOKEN) }}',
        'x-trace': 'trace-1',
        'content-type': 'application/json',
      },
      body: { key: '{{secrets.TOKEN}}', more: 'data' },
      ...more,
    },
    {},
  );

describe.each([301, 302, 303, 307, 308])('a redirect with %i', (status) => {
  it('to another origin takes neither the body nor what proves who calls', async () => {
    const other = await origin(() => ({ status: 200 }));
    const first = await origin(() => ({ status, location: other.url }));
    await call(first.url);
    expect(first.seen[0]?.body).toContain(TOKEN);
    const [seen] = other.seen;
    expect(seen).toMatchObject({ method: status >= 307 ? 'POST' : 'GET', body: '' });
    expect(seen?.headers).toMatchObject({ 'x-trace': 'trace-1' });
    for (const name of ['authorization', 'cookie', 'x-api-key', 'x-encoded', 'content-type'])
      expect(seen?.headers).not.toHaveProperty(name);
    expect(JSON.stringify(other.seen)).not.toContain('Hunter');
  });

  it('that leads back brings none of it back', async () => {
    let visits = 0;
    const home = await origin(() => (++visits === 1 ? { status, location: away.url } : { status: 200 }));
    const away = await origin(() => ({ status, location: home.url }));
    await call(home.url);
    expect(home.seen[1]).toMatchObject({ body: '' });
    expect(home.seen[1]?.headers).not.toHaveProperty('authorization');
  });
});

it('to the same origin keeps method, body and headers with 307 and 308, whatever the method', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'POST'])
    for (const status of [307, 308]) {
      let visits = 0;
      const home = await origin(() => (++visits === 1 ? { status, location: '/again' } : { status: 200 }));
      await call(home.url, { method });
      expect(home.seen[1]).toMatchObject({ method, body: home.seen[0]?.body });
      expect(home.seen[1]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-api-key': 'plain' });
    }
});

it('with another method than POST drops the body at another origin with every status', async () => {
  for (const status of [301, 302, 307, 308]) {
    const other = await origin(() => ({ status: 200 }));
    const first = await origin(() => ({ status, location: other.url }));
    await call(first.url, { method: 'PUT' });
    expect(other.seen[0]).toMatchObject({ method: 'PUT', body: '' });
  }
});

it('quotes an expression that fails as it was written, not with the beginning of a value', async () => {
  const expression = `$error(${'"x" & '.repeat(30)} secrets.TOKEN)`;
  const error = await call(`http://127.0.0.1:1/{{ ${expression} }}`).catch((thrown: unknown) => thrown);
  const { message } = (error as TaskExecutionError).failure;
  expect(message).toContain('secrets.T');
  expect(message.slice(0, 300)).not.toContain('Hunt');
});

it('shows no value of a secret where an answer, or a place that it leads to, is told in part', async () => {
  const failure = async (url: string) =>
    call(url).then(
      () => null,
      (error: unknown) => (error as TaskExecutionError).failure.message,
    );
  const echo = await origin(() => ({ status: 400, text: `${'x'.repeat(493)}${TOKEN}` }));
  expect(await failure(echo.url)).toMatch(/x\[secret$/);
  const lost = await origin(() => ({ status: 302, location: `http://[${'x'.repeat(190)}${TOKEN}` }));
  expect(await failure(lost.url)).not.toContain('Hunt');
});
