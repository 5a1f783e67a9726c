import { isIP } from 'node:net';

/** Which addresses an `http` node may call (docs/http-node.md). Addresses are compared as numbers of 128 bits; version 4 lies at ::ffff:0:0/96. */

export interface AddressPolicy {
  /** Loopback and private addresses are allowed. */
  readonly allowPrivate: boolean;
  /** Host names, addresses and ranges (CIDR) that are allowed though they are loopback or private. */
  readonly allow: readonly string[];
}

/** ::ffff:0:0, where addresses of version 4 lie. */
const MAPPED = 0xffff_0000_0000n;

interface Range {
  readonly first: bigint;
  readonly bits: number;
}

/** Never called, whoever allows it: link-local, the services that hand out a machine's credentials, and what is no host's address. */
const FORBIDDEN = onDemand([
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '0.0.0.0/8',
  '::',
  '224.0.0.0/4',
  'ff00::/8',
  '255.255.255.255',
]);
/** Of this machine or of the networks around it. */
const PRIVATE = onDemand([
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '240.0.0.0/4',
  'fc00::/7',
  'fec0::/10',
]);
const last = (value: bigint): bigint => value & 0xffff_ffffn;
/** Ranges of version 6 that carry addresses of version 4: these decide too. */
const CARRIERS: readonly { range: () => Range; carried(value: bigint): readonly bigint[] }[] = [
  { range: only('::/96'), carried: (value) => [last(value)] },
  { range: only('::ffff:0:0:0/96'), carried: (value) => [last(value)] },
  { range: only('64:ff9b::/96'), carried: (value) => [last(value)] },
  // RFC 6052: behind 48 bits the address is in two parts around an octet of zeros, and zeros follow; behind 96 it is the end.
  {
    range: only('64:ff9b:1::/48'),
    carried: (value) => [
      (value & 0xff_ffff_ffffn) === 0n ? (last(value >> 48n) & 0xffff_0000n) | ((value >> 40n) & 0xffffn) : last(value),
    ],
  },
  // 6to4.
  { range: only('2002::/16'), carried: (value) => [last(value >> 80n)] },
  // Teredo: its server, and the client with all bits turned.
  { range: only('2001::/32'), carried: (value) => [last(value >> 64n), last(~value)] },
];
/** ISATAP has this before the address of version 4, behind any network; the second bit of it says how the address was given. */
const ISATAP = 0x5efen;
const isIsatap = (value: bigint): boolean => (last(value >> 32n) & 0xfdff_ffffn) === ISATAP;
const FORBIDDEN_NAMES =
  /^(metadata(\.google\.internal|\.goog|\.azure\.internal|\.tencentyun\.com|\.platformequinix\.com)?|instance-data(\.[a-z0-9-]+)*\.internal|instance-data)$/;

/** Why this address must not be called for that host; null: it may. `host` as it stands in the URL. */
export function refuseAddress(host: string, address: string, policy: AddressPolicy): string | null {
  const values = valuesOf(address);
  if (values.length === 0) return `${address} is not a valid address`;
  if (values.some(isForbidden))
    return `${address} is a link-local, metadata or unspecified address, which http nodes never call`;
  if (policy.allowPrivate || !values.some((value) => PRIVATE().some((range) => within(value, range)))) return null;
  const name = nameOf(host);
  for (const entry of policy.allow) {
    const range = rangeOf(entry);
    if (range === null ? nameOf(entry) === name : values.every((value) => within(value, range))) return null;
  }
  return `${address} is a loopback or private address: allow the host with --http-allow or the setting httpAllow`;
}

/** Whether an address, or one that it carries, lies in one of these addresses or ranges. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  const values = valuesOf(address);
  return ranges.some((text) => {
    const range = rangeOf(text);
    return range !== null && values.some((value) => within(value, range));
  });
}

/** Why a host must not be called whatever it resolves to; null: its addresses decide. */
export function refuseHostName(host: string): string | null {
  return FORBIDDEN_NAMES.test(nameOf(host)) ? `${host} is a metadata service, which http nodes never call` : null;
}

/** The host of a URL as a bare address, or null where it is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
}

/** True for what `allow` may hold: a host name, an address, or a range in CIDR. */
export const isAllowable = (entry: string): boolean =>
  rangeOf(entry) !== null ||
  (/^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i.test(entry) &&
    !/^[\d.]+$/.test(entry));

/** True for an entry of `allow` that allows nothing: what lies in it is never called. */
export function isAlwaysRefused(entry: string): boolean {
  const range = rangeOf(entry);
  if (range === null) return FORBIDDEN_NAMES.test(nameOf(entry));
  return (
    FORBIDDEN().some((never) => range.bits >= never.bits && within(range.first, never)) ||
    (range.bits === 128 && valuesOf(entry.split('/')[0] ?? '').some(isForbidden))
  );
}

const isForbidden = (value: bigint): boolean => FORBIDDEN().some((range) => within(value, range));
const nameOf = (host: string): string =>
  host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');

/** The address as a number, and the addresses of version 4 that it carries, if any. */
function valuesOf(address: string): bigint[] {
  const value = numberOf(address);
  if (value === null) return [];
  if (value <= 1n) return [value];
  const carried = CARRIERS.filter(({ range }) => within(value, range())).flatMap((carrier) => carrier.carried(value));
  if (isIsatap(value)) carried.push(last(value));
  return [value, ...carried.map((four) => MAPPED | four)];
}

function rangeOf(text: string): Range | null {
  const [address = '', length] = text.split('/');
  const first = numberOf(address);
  if (first === null) return null;
  const version = isIP(address.split('%')[0] ?? '');
  const most = version === 4 ? 32 : 128;
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > most)) return null;
  return { first, bits: (version === 4 ? 96 : 0) + (length === undefined ? most : Number(length)) };
}

/**
 * Ranges of the tables above, read when they are first asked for: Node's expression for addresses of version 6 takes longer to
 * compile than many modules, and most processes never compare one.
 */
function onDemand(texts: readonly string[]): () => readonly Range[] {
  let ranges: readonly Range[] | null = null;
  return () => (ranges ??= texts.map(knownRange));
}

function only(text: string): () => Range {
  let range: Range | null = null;
  return () => (range ??= knownRange(text));
}

function knownRange(text: string): Range {
  const range = rangeOf(text);
  if (range === null) throw new RangeError(`${text} is no range`);
  return range;
}

function within(value: bigint, { first, bits }: Range): boolean {
  const rest = BigInt(128 - bits);
  return value >> rest === first >> rest;
}

function numberOf(address: string): bigint | null {
  const bare = address.split('%')[0] ?? '';
  if (isIP(bare) === 4) return MAPPED | v4(bare);
  if (isIP(bare) !== 6) return null;
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  const text = dotted
    ? `${dotted[1]}${((v4(dotted[2] ?? '') >> 16n) & 0xffffn).toString(16)}:${(v4(dotted[2] ?? '') & 0xffffn).toString(16)}`
    : bare;
  const [head = '', tail] = text.split('::');
  const parts = (side: string) => (side === '' ? [] : side.split(':'));
  const left = parts(head);
  const right = tail === undefined ? [] : parts(tail);
  const groups = [
    ...left,
    ...Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0'),
    ...right,
  ];
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

function v4(text: string): bigint {
  return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}
