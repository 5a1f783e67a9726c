import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { portOf } from '../../../lib/listen-on-port.ts';

export interface FakeS3 {
  /** `AWS_…` for whoever may use it. */
  readonly env: Readonly<Record<string, string>>;
  readonly objects: Map<string, Buffer>;
  readonly requests: string[];
  /** What goes wrong; taken back by null. */
  readonly weather: {
    /** Refuses these methods. */
    denied: readonly string[];
    /** How far its clock is ahead, in milliseconds. */
    skewMs: number;
    /** So many next answers are cut after half of their body. */
    cuts: number;
    /** So many next requests are answered 503. */
    slow: number;
  };
  close(): Promise<void>;
}

const BUCKET = 'bucket';
const REGION = 'eu-test-1';
const KEY = 'AKTEST';
const SECRET = 'the secret/of+the key';
const MOST_SKEW_MS = 15 * 60_000;
const PAGE = 3;

/**
 * An object store that is as strict as S3: it verifies each signature (AWS Signature Version 4, by its own reading of the
 * specification), the hash of each body and the time, and lists in pages.
 */
export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const weather: FakeS3['weather'] = { denied: [], skewMs: 0, cuts: 0, slow: 0 };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const url = new URL(request.url ?? '/', 'http://fake');
    requests.push(`${request.method} ${url.pathname}`);
    const refuse = (status: number, code: string, message = 'as it is said there'): void =>
      void response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
    if (weather.slow > 0) {
      weather.slow--;
      return refuse(503, 'SlowDown');
    }
    const refused = faultOf(request, url, body, Date.now() + weather.skewMs);
    if (refused !== null) return refuse(403, refused);
    const [, bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    if (bucket !== BUCKET) return refuse(404, 'NoSuchBucket');
    if (weather.denied.includes(request.method ?? '')) return refuse(403, 'AccessDenied');
    const key = rest.join('/');
    const send = (bytes: Buffer): void => {
      response.writeHead(200, { 'content-length': bytes.length });
      if (weather.cuts === 0) return void response.end(bytes);
      weather.cuts--;
      response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
    };
    if (request.method === 'PUT') {
      objects.set(key, body);
      return void response.end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (key === '') return send(Buffer.from(listed(url)));
    const found = objects.get(key);
    return found ? send(found) : refuse(404, 'NoSuchKey');
  }

  function listed({ searchParams }: URL): string {
    if (searchParams.get('list-type') !== '2') throw new Error('it is no list of version 2');
    const after = searchParams.get('continuation-token') ?? '';
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(searchParams.get('prefix') ?? '') && key > after)
      .toSorted();
    const page = keys.slice(0, PAGE);
    const more =
      keys.length > PAGE ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : '';
    return `<ListBucketResult>${page.map((key) => `<Contents><Key>${escaped(key)}</Key></Contents>`).join('')}${more}</ListBucketResult>`;
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    env: {
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: SECRET,
      AWS_REGION: REGION,
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${portOf(server)}/`,
    },
    ...{ objects, requests, weather },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&apos;').replaceAll('<', '&lt;');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hashOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** The code that S3 refuses a request with; null: it is signed as it has to be. */
function faultOf({ method, headers }: IncomingMessage, url: URL, body: Buffer, now: number): string | null {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!found) return 'AccessDenied';
  const [, key = '', day = '', region = '', signed = '', signature = ''] = found;
  if (key !== KEY) return 'InvalidAccessKeyId';
  if (region !== REGION) return 'AuthorizationHeaderMalformed';
  const names = signed.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied';
  const date = String(headers['x-amz-date']);
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!date.startsWith(day) || !(Math.abs(now - at) < MOST_SKEW_MS)) return 'RequestTimeTooSkewed';
  const hash = String(headers['x-amz-content-sha256']);
  if (hash !== hashOf(body)) return 'XAmzContentSHA256Mismatch';
  const canonical = [
    method,
    url.pathname
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .toSorted()
      .join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    hash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const signing = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${SECRET}`, day), region));
  const expected = hmac(signing, ['AWS4-HMAC-SHA256', date, scope, hashOf(canonical)].join('\n')).toString('hex');
  return expected === signature ? null : 'SignatureDoesNotMatch';
}
