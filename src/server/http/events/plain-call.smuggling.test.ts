import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveEventCalls } from './event-wire.ts';

// Cases of Node's own suite (test/parallel/test-http-*) and of the advisories about its parser: wherever two readers of the
// same bytes disagree on where a request ends, the rest of one is taken for the next. So each is sent to a server with the
// short way and to one without it, with a request behind it: both have to see the same requests and give the same answers.
const URL = '/api/v1/events/upper/dev';
const INNER = 'GET /inner HTTP/1.1\r\nhost: a\r\n\r\n';
const post = (lines: readonly string[], body = '', end = '\r\n') =>
  `POST ${URL} HTTP/1.1${end}${lines.map((line) => `${line}${end}`).join('')}${end}${body}`;
const chunks = (...texts: string[]) =>
  [...texts, ''].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('');
const sized = (...lines: string[]) => post(['host: a', ...lines, 'content-length: 4'], '[{}]');
const chunked = (...lines: string[]) => post(['host: a', ...lines], chunks('[{}]'));
const withLength = (value: string) => post(['host: a', `content-length: ${value}`], '[{}]');

const CASES: readonly (readonly [what: string, bytes: string])[] = [
  ['a plain call', sized()],
  // Transfer-Encoding that is wrong, twice, or beside a length (CVE-2019-15605, CVE-2020-8287, CVE-2022-32213)
  ['chunks', chunked('transfer-encoding: chunked')],
  ['chunks beside a length', chunked('content-length: 4', 'transfer-encoding: chunked')],
  ['a length beside chunks', chunked('transfer-encoding: chunked', 'content-length: 4')],
  ['chunkedchunked', chunked('transfer-encoding: chunkedchunked')],
  ['chunked twice, once wrong', chunked('transfer-encoding: chunkedchunked', 'transfer-encoding: chunked')],
  ['chunked before another coding', chunked('transfer-encoding: chunked, identity')],
  ['another coding before chunked', chunked('transfer-encoding: gzip, chunked')],
  ['a vertical tab before chunked', chunked('transfer-encoding: \vchunked')],
  ['no coding', sized('transfer-encoding:')],
  ['identity', sized('transfer-encoding: identity')],
  ['a quoted coding', sized('transfer-encoding: "chunked"')],
  ['a blank before the colon of transfer-encoding', sized('transfer-encoding : chunked')],
  ['an underscore for the hyphen', sized('transfer_encoding: chunked')],
  ['a coding in a trailer', chunked('transfer-encoding: chunked', 'trailer: content-length')],
  // Lines that are folded (CVE-2022-32215, CVE-2024-27982)
  ['a folded coding', chunked('transfer-encoding: chunked', ' , identity')],
  ['a coding on the folded line', chunked('transfer-encoding:', ' chunked')],
  ['a folded length', post(['host: a', 'content-length:', ' 4'], '[{}]')],
  ['a blank before content-length', post(['host: a', ' content-length: 4'], `[{}]${INNER}`)],
  ['a blank before the first header', post([' content-length: 4', 'host: a'], `[{}]${INNER}`)],
  ['a tab before content-length', post(['host: a', '\tcontent-length: 4'], '[{}]')],
  ['a folded line after the length', sized('x: 1', ' content-length: 9')],
  // Line ends that are none, or half of one (CVE-2022-32214, CVE-2022-35256, CVE-2023-30589, CVE-2025-23167)
  ['line feeds alone', post(['host: a', 'content-length: 4'], '[{}]', '\n')],
  ['carriage returns alone', post(['host: a', 'content-length: 4'], '[{}]', '\r')],
  ['a length behind a line feed', sized('x: 1\ncontent-length: 33')],
  ['a coding behind a carriage return', sized('x:\rtransfer-encoding: chunked')],
  ['a coding behind a carriage return and a letter', sized('x-abc:\rxtransfer-encoding: chunked')],
  ['a carriage return before the colon', sized('x\r: 1')],
  ['a head that ends with a line feed', `POST ${URL} HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\n[{}]`],
  [
    'a head that ends with CR LF CR and a letter',
    `POST ${URL} HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\rX\r\n\r\n[{}]`,
  ],
  ['two carriage returns before the end of a line', sized('x: 1\r')],
  ['a line feed at the end of the request line', `POST ${URL} HTTP/1.1\nhost: a\r\ncontent-length: 4\r\n\r\n[{}]`],
  // Chunks and their extensions (CVE-2021-22960, CVE-2024-22019)
  ['a chunk with an extension', post(['host: a', 'transfer-encoding: chunked'], `4;a=b\r\n[{}]\r\n0\r\n\r\n`)],
  ['a long extension', post(['host: a', 'transfer-encoding: chunked'], `4;${'a'.repeat(20_000)}\r\n[{}]\r\n0\r\n\r\n`)],
  ['an extension with a line feed', post(['host: a', 'transfer-encoding: chunked'], `4;\n[{}]\r\n0\r\n\r\n`)],
  ['a chunk without its end', post(['host: a', 'transfer-encoding: chunked'], `4\r\n[{}]0\r\n\r\n`)],
  ['a size that is none', post(['host: a', 'transfer-encoding: chunked'], `0x4\r\n[{}]\r\n0\r\n\r\n`)],
  // Lengths (test-http-double-content-length, test-http-header-validators …)
  ['two equal lengths', sized('content-length: 4')],
  ['two lengths', sized('content-length: 33')],
  ['two lengths in one header', withLength('4, 4')],
  ['a length with a plus', withLength('+4')],
  ['a length below nothing', withLength('-4')],
  ['a length in hex', withLength('0x4')],
  ['a length with an exponent', withLength('4e0')],
  ['a length with a fraction', withLength('4.0')],
  ['a length with a blank in it', withLength('4 4')],
  ['a length with zeros before', withLength('0004')],
  ['an empty length', withLength('')],
  ['a length beyond 64 bits', withLength('18446744073709551620')],
  ['a length in quotes', withLength('"4"')],
  ['a length with tabs around', withLength('\t4\t')],
  ['a length with a form feed', withLength('\f4')],
  ['a length of nothing before a body', post(['host: a', 'content-length: 0'], INNER)],
  ['no length before a body', post(['host: a'], INNER)],
  ['a blank before the colon of the length', post(['host: a', 'content-length : 4'], '[{}]')],
  ['a zero byte in the name of the length', post(['host: a', 'content-length\0: 4'], '[{}]')],
  // Heads (CVE-2018-12116, CVE-2021-22959, test-http-invalidheaderfield …)
  ['an empty name', sized(': 1')],
  ['a line without a colon', sized('transfer-encoding')],
  ['a zero byte in a value', sized('x: a\0b')],
  ['a byte above ASCII in a name', sized('x\u00e9: 1')],
  ['a byte above ASCII in a value', sized('x: \u00e9')],
  ['a byte above ASCII in the path', `POST ${URL}\u010d\u010a HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n[{}]`],
  ['line ends before the request', `\r\n\r\n${sized()}`],
  ['a blank before the request', ` ${sized()}`],
  ['a tab for the blank', `POST\t${URL}\tHTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n[{}]`],
  ['two blanks', `POST  ${URL} HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n[{}]`],
  ['an absolute address', `POST http://b${URL} HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n[{}]`],
  ['no version', `POST ${URL}\r\nhost: a\r\ncontent-length: 4\r\n\r\n[{}]`],
  ['another version', `POST ${URL} HTTP/1.2\r\nhost: a\r\ncontent-length: 4\r\n\r\n[{}]`],
  ['a version in small letters', `POST ${URL} http/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n[{}]`],
  ['a method in small letters', `post ${URL} HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n[{}]`],
  // What changes how a connection goes on
  ['the end of the connection', sized('connection: close')],
  ['a length named as of one hop', sized('connection: content-length')],
  ['an upgrade to HTTP/2', sized('connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AAMAAABk')],
  ['a wish to keep it alive', sized('connection: Keep-Alive')],
  ['a body in a body', post(['host: a', `content-length: ${INNER.length}`], INNER)],
];

interface Exchange {
  readonly requests: string[];
  readonly statuses: string[];
}
let seen: string[] = [];
const servers: Server[] = [];
const nodeServer = () =>
  createServer({ requireHostHeader: false }, (request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        seen.push(`${request.method} ${request.url} ${Buffer.concat(parts).toString('latin1')}`);
        response.end();
      })
      .on('error', () => {});
  });
beforeAll(async () => {
  const direct = nodeServer();
  serveEventCalls(direct, {
    bodyBytes: () => 1000,
    serve({ url, body }, _caller, answer) {
      seen.push(`POST ${url} ${body.toString('latin1')}`);
      answer('id', { status: 200, type: 'text/plain', headers: [], body: '' });
    },
  });
  servers.push(nodeServer(), direct);
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => servers.forEach((server) => server.close()));

async function exchange(server: Server, parts: readonly Buffer[]): Promise<Exchange> {
  seen = [];
  let answers = '';
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
  const closed = once(socket, 'close');
  socket.on('data', (text: string) => (answers += text)).on('error', () => {});
  for (const part of parts) {
    if (!socket.destroyed) socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  socket.end();
  await closed;
  return { requests: seen, statuses: answers.match(/^HTTP\/1\.1 \d{3}/gm) ?? [] };
}

const cases = CASES.map(([what, text]) => [what, Buffer.from(`${text}${INNER}`, 'latin1')] as const);

it.each(cases)('%s is one thing to both readers', async (_, bytes) => {
  const half = bytes.length >> 1;
  for (const parts of [
    [bytes],
    [bytes.subarray(0, half), bytes.subarray(half)],
    [bytes.subarray(0, -INNER.length - 4), bytes.subarray(-INNER.length - 4)],
  ]) {
    const [node, direct] = [await exchange(servers[0] as Server, parts), await exchange(servers[1] as Server, parts)];
    expect(direct).toEqual(node);
  }
});

it('a plain call and what stands behind it are two requests', async () => {
  const [, bytes] = cases[0] ?? [];
  expect(await exchange(servers[1] as Server, [bytes ?? Buffer.alloc(0)])).toMatchObject({
    requests: [`POST ${URL} [{}]`, 'GET /inner '],
    statuses: ['HTTP/1.1 200', 'HTTP/1.1 200'],
  });
});
