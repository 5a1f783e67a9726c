import { describe, expect, it } from 'vitest';
import { isAllowable, isAlwaysRefused, literalAddress, refuseAddress, refuseHostName } from './addresses.ts';

const open = { allowPrivate: true, allow: [] };
const shut = { allowPrivate: false, allow: [] };
/** As a URL writes it: decimal, octal, hexadecimal and short forms are normalised there. */
const inUrl = (host: string) => literalAddress(new URL(`http://${host}/`).hostname) as string;

describe('never called, whatever is allowed', () => {
  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '0',
    '0.0.0.0',
    '100.100.100.200',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[::]',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[::ffff:0:a9fe:a9fe]',
    '[2002:a9fe:a9fe::1]',
    '[ff02::1]',
    '[2001::ffff:ffff:5601:5601]',
    '[2001:0:a9fe:a9fe::5601:5601]',
    '[64:ff9b:1:a9fe:a9:fe00::]',
    '[64:ff9b:1::a9fe:a9fe]',
    '[2606:4700::5efe:a9fe:a9fe]',
    '[2606:4700::200:5efe:a9fe:a9fe]',
  ])('%s', (host) => {
    const address = inUrl(host);
    expect(refuseAddress('x', address, { allowPrivate: true, allow: ['x', address, '0.0.0.0/0', '::/0'] })).toContain(
      'never call',
    );
  });

  it.each(['metadata.google.internal', 'METADATA.google.internal.', 'metadata', 'instance-data.ec2.internal'])(
    'the name %s',
    (host) => expect(refuseHostName(host)).toContain('metadata'),
  );
});

describe('loopback and private addresses', () => {
  const some = [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '[::1]',
    '[fd12::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::a00:1]',
    '[2002:7f00:1::]',
    '[2001:0:808:808::80ff:fffe]',
    '[64:ff9b:1:a00:0:100::]',
  ];
  it.each(some)('%s is for a master on loopback', (host) => {
    expect(refuseAddress('x', inUrl(host), shut)).toContain('--http-allow');
    expect(refuseAddress('x', inUrl(host), open)).toBeNull();
  });

  it('are allowed by the name of their host, by address and by range', () => {
    const allow = (...entries: string[]) =>
      refuseAddress('Shop.internal', '10.1.2.3', { allowPrivate: false, allow: entries });
    expect(allow('shop.internal')).toBeNull();
    expect(allow('10.1.2.3')).toBeNull();
    expect(allow('10.0.0.0/8')).toBeNull();
    expect(allow('::ffff:10.0.0.0/104')).toBeNull();
    expect(allow('other.internal', '10.2.0.0/16', 'internal')).not.toBeNull();
  });
});

it.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '[2606:4700::1111]',
  '[2002:101:101::]',
  '[2001:0:808:808::f7f7:f7f7]',
  '[64:ff9b:1:808:8:800::]',
  '[64:ff9b:1::808:808]',
  '[2001:4860:4860::8888]',
])('%s is public', (host) => expect(refuseAddress('x', inUrl(host), shut)).toBeNull());

it('knows what can be allowed', () => {
  expect(['shop.internal', 'localhost', '10.0.0.0/8', '::1', 'fd00::/8', 'my_host'].every(isAllowable)).toBe(true);
  expect(['', '10.0.0.0/33', 'a b', 'http://x', '10.1.2', '-x'].some(isAllowable)).toBe(false);
});

it('knows what is never called though it were allowed', () => {
  expect(
    [
      '169.254.169.254',
      '169.254.0.0/16',
      '169.254.169.254/32',
      'fe80::/10',
      'fd00:ec2::254',
      '::ffff:169.254.1.1',
      '64:ff9b::a9fe:a9fe',
      '0.0.0.0',
      '224.0.0.0/4',
      'metadata.google.internal',
      'Metadata',
    ].filter((entry) => !isAlwaysRefused(entry)),
  ).toEqual([]);
  expect(
    ['10.0.0.0/8', '0.0.0.0/0', 'fd00::/8', 'shop.internal', 'my-metadata', '::1'].filter(isAlwaysRefused),
  ).toEqual([]);
});
