import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { joinBytes } from '../../../lib/join-bytes.ts';

/** Objects below one prefix of a bucket. What is refused, or does not answer for long, rejects with SNAPSHOTS_UNUSABLE. */
export interface Bucket {
  /** For people: `s3://BUCKET/PREFIX/…/KEY`. */
  shown(key: string): string;
  put(key: string, body: Uint8Array): Promise<void>;
  /** Null: there is none. What is longer than `mostBytes` is given up. */
  get(key: string, mostBytes: number): Promise<Uint8Array | null>;
  /** Keys that begin so. */
  list(beginning: string): Promise<string[]>;
  /** One that is not there is no error. */
  remove(key: string): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const TRIES = 4;
const FIRST_PAUSE_MS = 200;
const REQUEST_MS = 120_000;
/** Of lists, a thousand keys at a time, and of what is said of errors. */
const ANSWER_BYTES = 16 * 1024 * 1024;
const AGAIN = [429, 500, 502, 503, 504];

export const isBucketUrl = (where: string): boolean => where.startsWith('s3:');

/**
 * @param within the folder below the prefix that all keys are in
 * @param env AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL_S3
 */
export function openBucket(where: string, within: string, env: Environment, firstPauseMs = FIRST_PAUSE_MS): Bucket {
  const [, name = '', given = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/.exec(where) ?? [];
  if (name === '')
    throw new Fault(
      'USAGE',
      `--snapshots expects s3://BUCKET/PREFIX (letters, digits and !_.*'()-/ in the prefix), or a folder; got "${where}"`,
    );
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new Fault(
      'USAGE',
      `--snapshots ${where}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN for temporary keys); profiles and roles of a machine are not looked for`,
    );
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || null;
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new Fault('USAGE', `AWS_ENDPOINT_URL_S3 expects an http or https URL; got "${endpoint}"`);
  const prefix = [...given.split('/').filter((part) => part !== ''), within, ''].join('/');
  const base = baseOf(name, region, endpoint);
  const shown = (key: string): string => `s3://${name}/${prefix}${key}`;
  const keys = { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}) };

  /** One attempt; `read` gets an answer that is none of an error. */
  async function attempt(
    method: string,
    url: string,
    body: Uint8Array<ArrayBuffer> | null,
    mostBytes: number,
  ): Promise<Answer> {
    const { headers } = await new AwsV4Signer({
      ...{ method, url, region, service: 's3', ...keys },
      // Its hash is signed: what arrives is what was sent.
      headers: { 'x-amz-content-sha256': sha256(body ?? new Uint8Array()) },
    }).sign();
    const response = await fetch(url, {
      ...{ method, headers, body, redirect: 'manual' },
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    return { status: response.status, bytes: await bytesOf(response, mostBytes) };
  }

  async function ask(
    method: string,
    url: string,
    key: string,
    body: Uint8Array | null = null,
    mostBytes = ANSWER_BYTES,
  ): Promise<Answer> {
    const sent = body && new Uint8Array(body);
    for (let tries = 1; ; tries++) {
      let answer: Answer;
      try {
        answer = await attempt(method, url, sent, mostBytes);
      } catch (error) {
        if (error instanceof Fault) throw error;
        if (tries >= TRIES) throw unusable(`${shown(key)}: ${networkWords(error, base)}`, error);
        await delay(firstPauseMs * 2 ** tries * Math.random());
        continue;
      }
      if (answer.status < 300) return answer;
      const refusal = refusalIn(answer);
      if (refusal.code === 'NoSuchKey') return answer;
      if (tries >= TRIES || !(AGAIN.includes(answer.status) || refusal.code === 'RequestTimeout'))
        throw unusable(`${shown(key)}: ${refusalWords(refusal, { name, region, accessKeyId: keys.accessKeyId })}`);
      await delay(firstPauseMs * 2 ** tries * Math.random());
    }
  }

  const urlOf = (key: string): string => `${base}/${prefix}${key}`;

  return {
    shown,
    put: async (key, body) => void (await ask('PUT', urlOf(key), key, body)),
    async get(key, mostBytes) {
      const { status, bytes } = await ask('GET', urlOf(key), key, null, Math.max(mostBytes, ANSWER_BYTES));
      return status === 404 ? null : bytes;
    },
    async list(beginning) {
      const found: string[] = [];
      for (let next: string | null = ''; next !== null;) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}${beginning}` });
        if (next !== '') query.set('continuation-token', next);
        const { bytes } = await ask('GET', `${base}/?${query}`, beginning);
        const xml = textOf(bytes);
        found.push(...elements(xml, 'Key').map((key) => key.slice(prefix.length)));
        next = elements(xml, 'NextContinuationToken')[0] ?? null;
      }
      return found;
    },
    remove: async (key) => void (await ask('DELETE', urlOf(key), key)),
  };
}

interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const unusable = (what: string, cause?: unknown): Fault => new Fault('SNAPSHOTS_UNUSABLE', what, { cause });

async function bytesOf({ body }: Response, mostBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > mostBytes)
      throw new Fault('STORE_CORRUPT', `the object store sends more than ${mostBytes} bytes, which nobody put there`);
    pieces.push(piece);
  }
  return joinBytes(pieces, new Uint8Array(size));
}

/** By its path where an endpoint is named, as MinIO wants it, or where the name would not fit the certificate. */
function baseOf(name: string, region: string, endpoint: string | null): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, '')}/${name}`;
  return name.includes('.')
    ? `https://s3.${region}.amazonaws.com/${name}`
    : `https://${name}.s3.${region}.amazonaws.com`;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

function refusalIn({ status, bytes }: Answer): Refusal {
  const xml = textOf(bytes);
  return { status, code: elements(xml, 'Code')[0] ?? '', message: elements(xml, 'Message')[0] ?? '' };
}

const REMEDIES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket: create it, or name another one with --snapshots',
  AccessDenied: 'access is denied: the key needs s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket there',
  InvalidAccessKeyId: 'the access key is not known there: check AWS_ACCESS_KEY_ID and AWS_ENDPOINT_URL_S3',
  SignatureDoesNotMatch: 'the secret key is wrong: check AWS_SECRET_ACCESS_KEY',
  RequestTimeTooSkewed: 'the clock of this machine is off by more than 15 minutes: set it (NTP)',
  ExpiredToken: 'the temporary keys have expired: start this master with new ones',
  InvalidToken: 'the session token is not valid: check AWS_SESSION_TOKEN',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set AWS_REGION',
  PermanentRedirect: 'the bucket is in another region: set AWS_REGION',
};

function refusalWords(
  { status, code, message }: Refusal,
  { name, region, accessKeyId }: { name: string; region: string; accessKeyId: string },
): string {
  const known = REMEDIES[code] ?? (status === 301 || status === 307 ? REMEDIES['PermanentRedirect'] : undefined);
  const said = [code, message].filter((one) => one !== '').join(': ') || `HTTP ${status}`;
  return `${known ?? 'the object store refused the request'} (${said}; bucket ${name}, region ${region}, key ${accessKeyId})`;
}

function networkWords(error: unknown, base: string): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { host } = new URL(base);
  return `${host} cannot be reached, or the connection was cut (${errorMessage(cause) || errorCode(cause)}): check AWS_ENDPOINT_URL_S3, AWS_REGION and the network`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Texts of the elements of this name: answers of S3 are flat enough. */
function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replace(/&(\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole),
  );
}
