import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPlainCalls } from './plain-call.ts';

const read = createPlainCalls();
const call = (lines: readonly string[], body: string) =>
  Buffer.from(`${['POST /api/v1/events/upper/dev HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n${body}`, 'latin1');
const plain = (lines: readonly string[], body = '[{}]') =>
  read(call(['host: localhost', `content-length: ${body.length}`, ...lines], body), 1000);

it('reads path, headers and body, and where the call ends', () => {
  const bytes = Buffer.concat([
    call(['Host: localhost', 'API-Key: \tym_1 \t', 'Content-Length: 4', 'x-empty:'], '[{}]'),
    Buffer.from('POST /'),
  ]);
  expect(read(bytes, 1000)).toMatchObject({
    url: '/api/v1/events/upper/dev',
    workflowId: 'upper',
    environment: 'dev',
    headers: { host: 'localhost', 'api-key': 'ym_1', 'content-length': '4', 'x-empty': '' },
    size: bytes.length - 6,
  });
});

it('waits for the rest of a body', () => {
  expect(read(call(['content-length: 5'], '[{}]'), 1000)).toBe('more');
});

it.each([
  ['another method', Buffer.from('GET /api/v1/events/upper/dev HTTP/1.1\r\ncontent-length: 0\r\n\r\n')],
  ['another path', Buffer.from('POST /api/v1/jobs HTTP/1.1\r\ncontent-length: 0\r\n\r\n')],
  ['an older version', Buffer.from('POST /api/v1/events/upper/dev HTTP/1.0\r\ncontent-length: 0\r\n\r\n')],
  ['a head that has not come whole', Buffer.from('POST /api/v1/events/upper/dev HTTP/1.1\r\ncontent-length: 0\r\n')],
  ['no length', call(['host: a'], '')],
  ['a body over the limit', call(['content-length: 1001'], '')],
])('leaves %s to the parser of the server', (_, bytes) => expect(read(bytes, 1000)).toBeNull());

it.each([
  ['a header twice', ['X-A: 1', 'x-a: 2']],
  ['two lengths', ['Content-Length: 4']],
  ['chunks', ['transfer-encoding: chunked']],
  ['a compressed body', ['content-encoding: gzip']],
  ['an expectation', ['expect: 100-continue']],
  ['the wish to end the connection', ['connection: close']],
  ['an upgrade', ['upgrade: websocket']],
  ['a blank before the colon', ['x-a : 1']],
  ['a folded line', ['x-a: 1', ' 2']],
  ['a bare line feed', ['x-a: 1\ny: 2']],
  ['a bare carriage return', ['x-a: 1\ry: 2']],
  ['a control character', ['x-a: \0']],
  ['a line without a colon', ['x-a']],
  ['a name that is none', ['x(a): 1']],
  ['a header that Node makes a list of', ['set-cookie: a=b']],
  ['a name that objects have', ['__proto__: 1']],
])('leaves %s to the parser of the server', (_, lines) => expect(plain(lines)).toBeNull());

interface Seen {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}
let server: Server;
let seen: Seen[] = [];
beforeAll(async () => {
  server = createServer({ requireHostHeader: false }, (request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        seen.push({
          url: request.url,
          headers: { ...request.headers },
          body: Buffer.concat(chunks).toString('latin1'),
        });
        response.end();
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

async function asNodeReads(bytes: Buffer): Promise<Seen[]> {
  seen = [];
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    .on('error', () => {})
    .resume();
  socket.end(bytes);
  await once(socket, 'close');
  return seen;
}

const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const name = fc.constantFrom(
  'host',
  'Host',
  'api-key',
  'Content-Type',
  'X-A',
  'x-b',
  'prefer',
  'Connection',
  'expect',
  'te',
  'Transfer-Encoding',
  'content-length',
  'cookie',
  'Set-Cookie',
  'constructor',
  '__proto__',
  'x c',
  'x-d ',
  ' x-e',
  '',
  'x\u00e9',
);
const value = fc.oneof(
  fc.constantFrom(
    'localhost',
    'ym_1',
    'application/json',
    'keep-alive',
    'Keep-Alive',
    'close',
    '',
    '4',
    '0',
    '+4',
    '4, 4',
    'chunked',
    '100-continue',
    'a\tb',
    'a\u00e9\u00ff',
    'a\u0001',
    'a\u007f',
  ),
  fc.string({ maxLength: 12 }),
);
const blank = fc.constantFrom('', ' ', ' \t', '\t');
const header = fc
  .tuple(name, blank, value, blank, often('\r\n', '\n', '\r', '\r\n '))
  .map(([n, before, v, after, end]) => `${n}:${before}${v}${after}${end}`);
const request = fc
  .tuple(
    often('POST', 'GET', 'post', 'POST '),
    often('/api/v1/events/upper/dev', '/api/v1/events/Upper/dev', '/api/v1/events/a/b?c', '/api/v1/events/%61/dev'),
    often('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1 '),
    often('\r\n', '\n'),
    fc.array(header, { maxLength: 4 }),
    fc.string({ maxLength: 12 }),
    often(0, 1, -1, 3),
    fc.string({ maxLength: 3 }),
  )
  .map(([method, url, version, end, headers, body, off, behind]) =>
    Buffer.from(
      `${method} ${url} ${version}${end}${headers.join('')}content-length: ${Math.max(0, Buffer.byteLength(body, 'latin1') + off)}\r\n\r\n${body}${off === 0 ? behind : ''}`,
      'latin1',
    ),
  );

it('what is read here is what the parser of the server reads', async () => {
  let plainOnes = 0;
  await fc.assert(
    fc.asyncProperty(request, async (bytes) => {
      const found = read(bytes, 1000);
      if (found === null) return;
      const [first] = await asNodeReads(found === 'more' ? bytes : bytes.subarray(0, found.size));
      if (found !== 'more') plainOnes++;
      expect(first).toEqual(
        found === 'more'
          ? undefined
          : { url: found.url, headers: { ...found.headers }, body: found.body.toString('latin1') },
      );
    }),
    { numRuns: 2000 },
  );
  expect(plainOnes).toBeGreaterThan(200);
});
