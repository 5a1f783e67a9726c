import { networkInterfaces } from 'node:os';
import { isIP } from 'node:net';
import type { HttpPolicy } from '../../contract/worker-protocol.ts';
import { isLoopback } from '../../lib/loopback.ts';

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** Where other machines reach the ports of a master, for those that must not: loopback is understood. `host`: what it is bound to. */
export function listensAt(
  host: string,
  ports: readonly (number | null)[],
  interfaces = networkInterfaces(),
): NonNullable<HttpPolicy['master']> {
  const all = Object.values(interfaces).flatMap((some) => (some ?? []).map(({ address }) => address));
  const bound = isLoopback(host) ? [] : EVERYWHERE.has(host) || isIP(host) === 0 ? all : [host];
  return {
    ports: [...new Set(ports)].filter((port) => port !== null && port > 0) as number[],
    addresses: bound.filter((address) => !isLoopback(address) && !address.startsWith('fe80')),
  };
}

/**
 * What workers are told of the host of the log port. In a cluster they may have come to another master than this one, so it
 * is that of `url`, where others reach this master, and the certificate is the one of that name.
 *
 * @param host what the port is bound to
 * @param url null: a single master, which workers reach under the name that they know already
 */
export function announcedHost(host: string, url: string | null): { host: string; name?: string } {
  if (url === null || isLoopback(host)) return { host };
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return { host: EVERYWHERE.has(host) ? name : host, name };
}
