import { describe, expect, it } from 'vitest';
import { bareAddress, createProxies, isProxyRange, LOCAL_PROXIES } from './proxies.ts';

describe('proxies', () => {
  const proxies = createProxies(['10.0.0.5', '192.168.1.0/24', 'fd00::/8', ...LOCAL_PROXIES]);

  it.each([
    ['10.0.0.5', true],
    ['10.0.0.6', false],
    ['::ffff:10.0.0.5', true],
    ['192.168.1.255', true],
    ['192.168.2.1', false],
    ['fd12::1', true],
    ['fe80::1', false],
    ['127.8.9.1', true],
    ['::1', true],
    ['unknown', false],
    ['', false],
    [undefined, false],
  ])('%s is trusted: %s', (address, trusted) => expect(proxies.trusts(address)).toBe(trusted));

  it('are named by addresses and ranges, never by names', () => {
    for (const text of ['10.0.0.5', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0'])
      expect(isProxyRange(text)).toBe(true);
    for (const text of [
      'proxy',
      '10.0.0',
      '10.0.0.0/33',
      '::1/129',
      '10.0.0.0/',
      '/8',
      '',
      '10.0.0.5:80',
      'fe80::1%eth0',
    ])
      expect(isProxyRange(text)).toBe(false);
    expect(() => createProxies(['proxy'])).toThrow('neither an address nor a range');
  });
});

it('an address is read with and without its port', () => {
  expect(bareAddress(' 203.0.113.9:4711 ')).toBe('203.0.113.9');
  expect(bareAddress('[2001:db8::1]:443')).toBe('2001:db8::1');
  expect(bareAddress('[2001:db8::1]')).toBe('2001:db8::1');
  expect(bareAddress('2001:db8::1')).toBe('2001:db8::1');
  expect(bareAddress('::ffff:203.0.113.9')).toBe('203.0.113.9');
  for (const text of ['', 'unknown', '_hidden', '1.2.3', '1.2.3.4:port', '<script>'])
    expect(bareAddress(text)).toBeNull();
});
