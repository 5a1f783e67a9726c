import { lookup } from 'node:dns';
import { request as httpRequest, type RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { literalAddress, refuseAddress, refuseHostName } from '../../../lib/addresses.ts';
import { retryAfterSeconds } from '../../../lib/retry-after.ts';

/** What a receiver answered. */
export interface SendResult {
  readonly ok: boolean;
  /** HTTP or SMTP status; null: none came. */
  readonly status: number | null;
  /** What it said, or why nothing came. */
  readonly answer: string;
  /** True: trying again may help. */
  readonly retry: boolean;
  /** Seconds that it asked to wait. */
  readonly after?: number | undefined;
  /** It has all of the message and did not say whether it took it. */
  readonly maybe?: boolean;
  /** Addresses of a channel that have it, where others failed. */
  readonly taken?: readonly string[];
}

const ANSWER_BYTES = 2000;
const MAX_AFTER_SECONDS = 3600;
const GATEWAY_TIMEOUT = 504;

/** How long the receiver asks to be left alone, in seconds; undefined where it does not. */
export function retryAfter(text: string | undefined, now: number): number | undefined {
  const seconds = retryAfterSeconds(text, now) ?? 0;
  return seconds > 0 ? Math.min(seconds, MAX_AFTER_SECONDS) : undefined;
}

/** Channels are an administrator's: loopback and private networks are allowed, what hands out a machine's credentials never is. */
const POLICY = { allowPrivate: true, allow: [] };
export function refusedHost(host: string): string | null {
  const address = literalAddress(host);
  return refuseHostName(host) ?? (address === null ? null : refuseAddress(host, address, POLICY));
}

/** Looks a name up and refuses addresses that no message goes to: checked where the connection is made, so that no second answer slips in. */
export const guardedLookup: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0);
    const good = found.filter(({ address }) => refuseAddress(host, address, POLICY) === null);
    const [first] = good;
    if (!first)
      return done(
        Object.assign(
          new Error(
            found[0] ? (refuseAddress(host, found[0].address, POLICY) ?? '') : `no address found for host ${host}`,
          ),
          { code: 'EREFUSED' },
        ),
        '',
        0,
      );
    // With `all` the callback takes a list, which its type leaves out.
    if (options.all) done(null, good as never, 0);
    else done(null, first.address, first.family);
  });

/** Posts JSON once. Never throws; redirects are not followed: a hook that moved is to be told. */
export function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  seconds: number,
  signal: AbortSignal,
): Promise<SendResult> {
  return new Promise((resolve) => {
    let handedOver = false;
    const failed = (why: string, retry: boolean): void =>
      resolve({ ok: false, status: null, answer: why, retry, maybe: handedOver });
    const target = URL.parse(url);
    if (!target || !/^https?:$/.test(target.protocol))
      return failed(`"${url.slice(0, 100)}" is not an http or https URL`, false);
    const refused = refusedHost(target.hostname);
    if (refused !== null) return failed(refused, false);
    const options: RequestOptions = {
      method: 'POST',
      agent: false,
      lookup: guardedLookup,
      signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Yardmaster',
        ...headers,
      },
    };
    const request = target.protocol === 'https:' ? process.getBuiltinModule('node:https').request : httpRequest;
    const call = request(target, options, (answer) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const end = () => {
        const status = answer.statusCode ?? 0;
        const text = Buffer.concat(chunks).toString('utf8').slice(0, ANSWER_BYTES);
        // What stands between did not wait for its answer.
        const maybe = status === GATEWAY_TIMEOUT;
        resolve({
          ok: status >= 200 && status < 300,
          status,
          answer: text,
          retry: status === 408 || status === 429 || status >= 500,
          after: retryAfter(answer.headers['retry-after'], Date.now()),
          maybe,
        });
      };
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > ANSWER_BYTES) answer.destroy();
      });
      answer.on('close', end);
      answer.on('error', () => {});
    });
    call.on('error', (error: NodeJS.ErrnoException) =>
      failed(
        error.name === 'TimeoutError' || error.name === 'AbortError'
          ? signal.aborted
            ? 'the master is shutting down'
            : `no response within ${seconds} s`
          : error.code === undefined || error.message.includes(error.code)
            ? error.message
            : `${error.code} ${error.message}`,
        error.code !== 'EREFUSED',
      ),
    );
    call.on('finish', () => (handedOver = true));
    call.end(body);
  });
}
