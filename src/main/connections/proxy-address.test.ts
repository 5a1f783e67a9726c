import { expect, test } from 'vitest';
import { firstProxy, parseProxy } from './proxy-address.ts';

test('a proxy is brought to its plain form', () => {
  expect(parseProxy(' http://Proxy.Example.com:3128/ ')).toBe('http://proxy.example.com:3128');
  expect(parseProxy('socks5://127.0.0.1')).toBe('socks5://127.0.0.1:1080');
  expect(parseProxy('https://proxy.example.com')).toBe('https://proxy.example.com:443');
  expect(parseProxy('http://proxy.example.com:80')).toBe('http://proxy.example.com:80');
  expect(parseProxy('socks5://proxy.example.com:80')).toBe('socks5://proxy.example.com:80');
  expect([parseProxy('system'), parseProxy('direct')]).toEqual(['system', 'direct']);
});

test.each([
  '',
  'proxy.example.com',
  'ftp://proxy.example.com',
  'http://u:p@proxy.example.com:1',
  'http://proxy.example.com/path',
  'http://a;direct://',
  'http://a:99999',
])('%s is refused with a reason', (text) => {
  expect(() => parseProxy(text)).toThrow(/expected a proxy|only host|contains a user/);
});

test('the first hop is read from the words of the system', () => {
  expect(firstProxy('DIRECT')).toBeNull();
  expect(firstProxy('PROXY proxy.example.com:3128; DIRECT')).toEqual({ host: 'proxy.example.com', port: 3128 });
  expect(firstProxy('SOCKS5 [::1]:1080')).toEqual({ host: '::1', port: 1080 });
});
