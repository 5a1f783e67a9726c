import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RemoteStoreOptions } from '../contract/process.ts';
import { errorMessage } from './errors.ts';
import { Fault } from './fault.ts';

/** Where requests go, and what is sent with each. Plain data, to be handed to threads. */
export interface RemoteTarget {
  /** Base address without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Certificate authorities (PEM); null: those of the system. */
  readonly ca: string | null;
}

/** Reads what the options name. Throws USAGE where the certificate authority cannot be read. `option`: the one that names the file. */
export function remoteTarget({ url, credentials, caFile }: RemoteStoreOptions, option: string): RemoteTarget {
  let ca: string | null = null;
  if (caFile !== null) {
    try {
      ca = readFileSync(caFile, 'utf8');
    } catch (error) {
      throw new Fault('USAGE', `${option} ${caFile} cannot be read: ${errorMessage(error)}`);
    }
    if (!ca.includes('-----BEGIN CERTIFICATE-----'))
      throw new Fault('USAGE', `${option} ${caFile} contains no certificate in PEM format`);
  }
  const authorization =
    credentials === null
      ? null
      : 'token' in credentials
        ? `Bearer ${credentials.token}`
        : `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
  return { url, headers: authorization === null ? {} : { authorization }, ca };
}

/** The same with the tenant `AccountID:ProjectID` of VictoriaLogs named; null: none is. */
export function withTenant(target: RemoteTarget, tenant: string | null): RemoteTarget {
  if (tenant === null) return target;
  const [account = '0', project = '0'] = tenant.split(':');
  return { ...target, headers: { ...target.headers, accountid: account, projectid: project } };
}

export interface RemoteRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Behind the base address, with its query string. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** For so long nothing may come; 0: for ever. */
  readonly idleMs: number;
}

export interface RemoteResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Read it to its end, or `destroy` it: it holds a connection. Whoever reads slowly slows the sender down. */
  readonly body: IncomingMessage;
  /** The body as text, cut after so many characters. */
  text(most: number): Promise<string>;
}

/** Requests to one system over few connections that are kept open. Redirects are answers like others. */
export interface RemoteHttp {
  /** Resolves once the head of the answer is there. Rejects with a plain `Error` where there is none. */
  request(request: RemoteRequest): Promise<RemoteResponse>;
  close(): void;
}

export function createRemoteHttp({ url, headers, ca }: RemoteTarget, connections: number): RemoteHttp {
  const base = url.replace(/\/+$/, '');
  const isSecure = base.startsWith('https:');
  const open = () => {
    const settings = { keepAlive: true, maxSockets: connections };
    // Taken with the first request: they are the most that a thread loads which starts and has nobody to talk to yet.
    if (!isSecure) {
      const { Agent, request } = process.getBuiltinModule('node:http');
      return { agent: new Agent(settings), request };
    }
    const { Agent, request } = process.getBuiltinModule('node:https');
    return { agent: new Agent({ ...settings, ...(ca === null ? {} : { ca }) }), request };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    request: ({ method, path, headers: more = {}, body, signal, idleMs }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const { agent, request } = (opened ??= open());
        const made = request(
          new URL(base + path),
          {
            method,
            agent,
            headers: { ...headers, ...more, ...length },
            timeout: idleMs,
            ...(signal ? { signal } : {}),
          },
          (response) => {
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: response,
              text: (most) => textOf(response, most),
            });
          },
        );
        made.on('timeout', () => made.destroy(new Error(`no response within ${idleMs / 1000} s`)));
        made.on('error', reject);
        made.end(body);
      }),
    close: () => opened?.agent.destroy(),
  };
}

async function textOf(response: IncomingMessage, most: number): Promise<string> {
  let text = '';
  // With an encoding it gives texts.
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length >= most) break;
  }
  return text.slice(0, most);
}
