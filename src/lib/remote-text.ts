import type { IncomingHttpHeaders } from 'node:http';
import type { RemoteStoreOptions } from '../contract/process.ts';
import { isLoopback } from './loopback.ts';
import type { RemoteHttp, RemoteRequest } from './remote-http.ts';
import { errorCode, errorMessage } from './errors.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** A short answer of a store elsewhere. */
export interface RemoteText {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Milliseconds that the store asked to wait, at most an hour; null: it did not. */
  readonly retryAfterMs: number | null;
}

/** A store that says nothing for so long has failed. */
const SILENT_MS = 30_000;
const MOST_CHARACTERS = 64 * 1024;
const MOST_AFTER_MS = 3_600_000;

/** Asks for a short answer. Rejects where none comes: `networkWords` says why. */
export async function askRemote(
  http: RemoteHttp,
  path: string,
  {
    query = {},
    ...request
  }: Omit<RemoteRequest, 'path' | 'idleMs'> & { readonly query?: Readonly<Record<string, string>> },
): Promise<RemoteText> {
  const search = new URLSearchParams(query).toString();
  const answer = await http.request({
    ...request,
    path: search === '' ? path : `${path}?${search}`,
    idleMs: SILENT_MS,
  });
  const { status, headers } = answer;
  const after = (retryAfterSeconds(headers['retry-after'], Date.now()) ?? 0) * 1000;
  return {
    ...{ status, headers },
    text: await answer.text(MOST_CHARACTERS),
    retryAfterMs: after > 0 ? Math.min(after, MOST_AFTER_MS) : null,
  };
}

/** Why no answer came, for somebody who has to mend it. */
export function networkWords(error: unknown): string {
  const message = errorMessage(error);
  switch (errorCode(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name cannot be resolved';
    case 'ECONNREFUSED':
      return 'nothing listens at its address';
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return 'it closed the connection';
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'its host cannot be reached';
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return 'it does not speak TLS at that address';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `its certificate is for another host (${message})`;
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `its certificate is not trusted (${message}): name its certificate authority`;
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has expired';
    case undefined:
    default:
      return message;
  }
}

/** Says once that whoever is on the way can read the credentials. @param option the one that names the address */
export function warnIfPlain(
  option: string,
  { url, credentials }: RemoteStoreOptions,
  log: (line: string) => void,
): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && credentials !== null && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
    log(
      `${option}: ${url} is not encrypted: anyone on the way can read the credentials. Use https:// unless the network is private`,
    );
}
