import { networkInterfaces } from 'node:os';
import type { HttpPolicy } from '../contract/worker-protocol.ts';
import { isWithin } from '../lib/addresses.ts';
import { isOwnHost } from '../lib/plain-url.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** What `http` nodes of this worker may never reach: the ports of its masters. */
export interface MasterPorts {
  readonly ports: readonly number[];
  /** Addresses and ranges at which the master listens on them. */
  readonly addresses: readonly string[];
  /** The names that the worker knows the masters by, and the ports there, which may be a proxy's. */
  readonly named: readonly { readonly name: string; readonly port: number }[];
}

/**
 * The ports of the master at all of its addresses, as this worker sees them. Where both are on one machine (an address of
 * a master is loopback or a socket file, or the worker has an address of it), loopback is one of them.
 */
export function masterPorts(
  policy: HttpPolicy,
  { masters, socket }: { masters: readonly string[]; socket: string | null },
  own: readonly string[] = ownAddresses(),
): MasterPorts {
  const urls = masters.map((master) => new URL(master));
  const { ports = [], addresses = [] } = policy.master ?? {};
  const isNear =
    socket !== null ||
    urls.some(({ hostname }) => isOwnHost(hostname)) ||
    own.some((address) => isWithin(address, addresses));
  return {
    // A proxy before the master serves others too, at the same address and port: there the name alone counts.
    ports,
    addresses: isNear ? [...addresses, ...LOOPBACK] : addresses,
    named: urls.map((url) => ({ name: url.hostname, port: portOf(url) })),
  };
}

export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
  );

/** Whether a URL names a master, whatever its name resolves to. */
export const namesMaster = (url: URL, { named, ports }: MasterPorts): boolean =>
  named.some(({ name, port }) => url.hostname.replace(/\.$/, '') === name && [port, ...ports].includes(portOf(url)));

export const isMasterAddress = (address: string, port: number, { ports, addresses }: MasterPorts): boolean =>
  ports.includes(port) && isWithin(address, addresses);

export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);
