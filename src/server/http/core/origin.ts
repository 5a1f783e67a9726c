import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Fault } from '../../../lib/fault.ts';
import type { Proxies } from '../../../lib/proxies.ts';
import { isEncrypted, requestHost, type Origins } from './forwarded.ts';

export interface HostRules {
  /** Names that `Host` may have besides loopback and IP addresses; `*`: any. */
  readonly allowedHosts: readonly string[];
  /** Null: none stands before this master. */
  readonly proxies: Proxies | null;
}

/** The names that the master's own certificate is for: whoever reaches it by one of these is where it meant to be. */
export function certificateHosts(cert: string | Buffer): string[] {
  try {
    const names = new X509Certificate(cert).subjectAltName ?? '';
    return [...names.matchAll(/DNS:([A-Za-z0-9*._-]+)/g)].map((m) => (m[1] ?? '').toLowerCase());
  } catch {
    // A certificate that cannot be read fails where it is used, with a better message.
    return [];
  }
}

/** Name without port, lower case; IPv6 without brackets. Null where it is none. */
export function hostName(host: string): string | null {
  const found = /^(?:\[([0-9a-fA-F:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::\d{1,5})?$/.exec(host);
  return found ? (found[1] ?? found[2] ?? '').toLowerCase() : null;
}

/**
 * A page elsewhere can point its own name at this address (DNS rebinding) and then read our answers as its own. Such a
 * request carries that name in `Host`: names are answered only where they are known. An address is not a name.
 */
export function refuseHost(
  request: Origins & Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>,
  { allowedHosts, proxies }: HostRules,
): Fault | null {
  if (namesTwoHosts(request.rawHeaders)) return new Fault('BAD_REQUEST', 'expected one host header, got several');
  const host = requestHost(request, proxies);
  // HTTP/1.0 need not name a host: so ask the health checks of load balancers, and no browser.
  if (host === undefined && request.httpVersion === '1.0') return null;
  if (host === undefined || host === '') return new Fault('BAD_REQUEST', 'the host header is missing');
  const name = hostName(host);
  if (name === null) return new Fault('BAD_REQUEST', 'the host header is malformed');
  if (isLocalName(name) || isIP(name) !== 0 || allowedHosts.some((allowed) => covers(allowed.toLowerCase(), name)))
    return null;
  return new Fault('HOST_REFUSED', `the host name ${name} is not allowed: add it to the allowed hosts of the master`);
}

/** Node keeps the first of two; whoever stands before us may have looked at the other (RFC 9112 §3.2). */
function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** True where the master knows the name as its own; one that `*` lets in it does not know. */
export const isOwnName = (name: string, { allowedHosts }: Pick<HostRules, 'allowedHosts'>): boolean =>
  isLocalName(name) || allowedHosts.some((allowed) => allowed !== '*' && covers(allowed.toLowerCase(), name));

/** Names that every machine answers itself. */
export const isLocalName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

/** `*`: any name; `*.example.org`: any one label before it. */
const covers = (allowed: string, name: string): boolean =>
  allowed === '*' ||
  allowed === name ||
  (allowed.startsWith('*.') && name.endsWith(allowed.slice(1)) && !name.slice(0, -allowed.length + 1).includes('.'));

/** Where the browser, or the program, reached this master: scheme, host and port. */
export const originOf = (request: Origins, proxies: Proxies | null): string =>
  `${isEncrypted(request, proxies) ? 'https' : 'http'}://${requestHost(request, proxies) ?? 'localhost'}`;

/** Where others than this caller reach the master: as configured, else as this caller did. */
export const publicOriginOf = (
  request: Origins,
  { publicUrl, proxies }: { readonly publicUrl?: string | null; readonly proxies: Proxies | null },
): string => publicUrl ?? originOf(request, proxies);

/** True where the request says that it comes from a page of this very host. */
export function sameOrigin(request: Origins, proxies: Proxies | null): boolean {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  if (site === undefined && origin === undefined) return false;
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined || originIsHost(origin, requestHost(request, proxies));
}

function originIsHost(origin: string, host: string | undefined): boolean {
  const found = /^https?:\/\/(.+)$/.exec(origin);
  return found !== null && host !== undefined && found[1]?.toLowerCase() === host.toLowerCase();
}

/** True where a page of another origin sent it. Requests with a token or key of their own do not care: no page can add one to another's request. */
export const foreignOrigin = (request: Origins, proxies: Proxies | null): boolean =>
  request.headers.origin !== undefined && !originIsHost(request.headers.origin, requestHost(request, proxies));
