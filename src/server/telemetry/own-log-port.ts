import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { Fault } from '../../lib/fault.ts';

/** A name that is not resolved by then is taken for another machine's. */
const RESOLVE_MS = 2000;
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * Each log line that is exported to the master's own log port would come in, and be exported again.
 *
 * @param url where log lines are sent
 * @param own what the log port is bound to
 * @throws USAGE
 */
export async function refuseOwnLogPort(
  url: string,
  own: { readonly host: string; readonly port: number },
  addressesOf: (name: string) => Promise<readonly string[]> = resolve,
): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  if (Number(port || (protocol === 'https:' ? 443 : 80)) !== own.port) return;
  const ours = new BlockList();
  if (EVERYWHERE.has(own.host)) {
    ours.addSubnet('127.0.0.0', 8, 'ipv4');
    ours.addAddress('::1', 'ipv6');
  }
  const bound = EVERYWHERE.has(own.host) ? localAddresses() : await addressesOf(own.host);
  for (const address of bound) ours.addAddress(address, familyOf(address));
  const name = hostname.replace(/^\[|\]$/g, '');
  const meant = /(^|\.)localhost\.?$/i.test(name) ? ['127.0.0.1', '::1'] : await addressesOf(name);
  // A connection to the address of all interfaces is one to this machine.
  const asked = meant.map((address) =>
    EVERYWHERE.has(address) ? (isIP(address) === 6 ? '::1' : '127.0.0.1') : address,
  );
  if (asked.some((address) => ours.check(address, familyOf(address))))
    throw new Fault(
      'USAGE',
      `log lines cannot be exported by OTLP to ${url}: it is the log port of this master, and each line would be exported again. Choose another address, or leave logs out of --otlp-signals (OTEL_LOGS_EXPORTER)`,
    );
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const localAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((some) => (some ?? []).map(({ address }) => address));

/** An address is itself; none where a name has none, or not in time. */
async function resolve(name: string): Promise<readonly string[]> {
  if (isIP(name) > 0) return [name];
  const found = lookup(name, { all: true }).catch(() => []);
  return (await Promise.race([found, after(RESOLVE_MS, [], { ref: false })])).map(({ address }) => address);
}
