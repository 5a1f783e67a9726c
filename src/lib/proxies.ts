import { BlockList, isIP } from 'node:net';

/** Proxies that stand before the master, by their addresses: what they say of a request is believed. */
export interface Proxies {
  /** True where this address is one of them. An unknown address is none. */
  trusts(address: string | undefined): boolean;
}

/** Proxies on this machine. */
export const LOCAL_PROXIES: readonly string[] = ['127.0.0.0/8', '::1'];

/** True for an address (`10.0.0.5`, `fd00::1`) or a range of them (`10.0.0.0/8`). */
export const isProxyRange = (text: string): boolean => partsOf(text) !== null;

/** Throws RangeError for what is no address or range. */
export function createProxies(ranges: readonly string[]): Proxies {
  const list = new BlockList();
  for (const text of ranges) {
    const parts = partsOf(text);
    if (parts === null) throw new RangeError(`${text} is neither an address nor a range`);
    list.addSubnet(parts.address, parts.bits, parts.family);
  }
  return {
    trusts(address) {
      const bare = bareAddress(address ?? '');
      return bare !== null && list.check(bare, isIP(bare) === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

/** An address as people write it: without the port and brackets of a header, without the form that sockets of version 6 give version 4. Null where it is none. */
export function bareAddress(text: string): string | null {
  const [, six, four] = /^\s*(?:\[([0-9a-fA-F:.]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})\s*$/.exec(text) ?? [];
  const bare = (six ?? four ?? text).trim().replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(bare) === 0 ? null : bare;
}

function partsOf(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | null {
  const [, address = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  return version === 0 || bits > most ? null : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}
