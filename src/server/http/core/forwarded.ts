import type { IncomingHttpHeaders } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Presenter } from '../../access/port.ts';
import { isLoopback } from '../../../lib/loopback.ts';
import { bareAddress, type Proxies } from '../../../lib/proxies.ts';

/** What of a request tells where it came from; Node's requests and the framework's have it alike. */
export interface Origins {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The address of the client. Each proxy adds at the right end of `X-Forwarded-For` the address that it was called from:
 * counted from there, past the proxies that are trusted, the first other address is the client's. What stands left of it,
 * the client may have made up. Null where the connection has no address (a socket file).
 */
export function clientAddress({ headers, socket }: Origins, proxies: Proxies | null): string | null {
  const peer = socket.remoteAddress === undefined ? null : (bareAddress(socket.remoteAddress) ?? socket.remoteAddress);
  if (proxies === null || !proxies.trusts(socket.remoteAddress)) return peer;
  let nearest = peer;
  for (const text of lastFirst(headers['x-forwarded-for'])) {
    const address = bareAddress(text);
    // A proxy that is trusted writes none but addresses: this came from further away.
    if (address === null) return nearest;
    nearest = address;
    if (!proxies.trusts(address)) return address;
  }
  return nearest;
}

/** The host that the client named; where a trusted proxy calls, the one that it says was named. */
export function requestHost({ headers, socket }: Origins, proxies: Proxies | null): string | undefined {
  const forwarded = headers['x-forwarded-host'];
  if (proxies === null || forwarded === undefined || !proxies.trusts(socket.remoteAddress)) return headers.host;
  return lastFirst(forwarded)[0];
}

/** True where nobody on the way from the client could read along. */
export function isEncrypted({ headers, socket }: Origins, proxies: Proxies | null): boolean {
  if ((socket as Partial<TLSSocket>).encrypted === true) return true;
  return (
    proxies !== null &&
    proxies.trusts(socket.remoteAddress) &&
    lastFirst(headers['x-forwarded-proto'])[0]?.toLowerCase() === 'https'
  );
}

/**
 * True for a client on this machine. Behind a proxy nobody is: all that the proxy passes on comes from here. A request that
 * says it was passed on for another machine is not either, though nobody said that there is a proxy.
 */
export function isFromLoopback(request: Origins, proxies: Proxies | null): boolean {
  const peer = clientAddress(request, null);
  if (proxies !== null || peer === null || !isLoopback(peer)) return false;
  return lastFirst(request.headers['x-forwarded-for']).every((text) => isLoopback(bareAddress(text) ?? ''));
}

/** Who presents a credential with this request. */
export const presenterOf = (request: Origins, proxies: Proxies | null): Presenter => ({
  address: clientAddress(request, proxies),
  isLocal: isFromLoopback(request, proxies),
});

const lastFirst = (header: string | string[] | undefined): string[] =>
  header === undefined
    ? []
    : (typeof header === 'string' ? header : header.join(','))
        .split(',')
        .map((text) => text.trim())
        .reverse();
