import { expect, it } from 'vitest';
import type { IncomingHttpHeaders } from 'node:http';
import { createProxies } from '../../../lib/proxies.ts';
import { foreignOrigin, refuseHost, sameOrigin } from './origin.ts';

const local = { allowedHosts: ['yard.example', '*.yards.example'], proxies: null };
const ask = (headers: IncomingHttpHeaders, { httpVersion = '1.1', remoteAddress = '127.0.0.1' } = {}) => ({
  headers,
  rawHeaders: [],
  httpVersion,
  socket: { remoteAddress },
});

it.each([
  ['localhost', true],
  ['LOCALHOST:1', true],
  ['127.0.0.1:8700', true],
  ['[::1]', true],
  ['192.168.1.4:80', true],
  ['yard.example', true],
  ['Yard.Example:443', true],
  ['a.yards.example', true],
  ['a.b.yards.example', false],
  ['yards.example', false],
  ['evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['', false],
  ['a b', false],
  ['x:99999999', false],
])('host %s is answered: %s', (host, answered) => {
  expect(refuseHost(ask({ host }), local) === null).toBe(answered);
});

it('behind a proxy the name that it was called by has to be one that is allowed', () => {
  const proxied = { allowedHosts: ['yard.example'], proxies: createProxies(['127.0.0.1']) };
  const named = (forwarded: string, remoteAddress = '127.0.0.1') =>
    refuseHost(ask({ host: 'yard.example', 'x-forwarded-host': forwarded }, { remoteAddress }), proxied)?.code;
  expect(named('yard.example')).toBeUndefined();
  expect(named('evil.example')).toBe('HOST_REFUSED');
  // A proxy that adds to what the client sent adds at the end.
  expect(named('yard.example, evil.example')).toBe('HOST_REFUSED');
  // What is no proxy is not believed.
  expect(named('evil.example', '192.0.2.1')).toBeUndefined();
  expect(refuseHost(ask({ host: 'any.example' }), { ...proxied, allowedHosts: [] })?.code).toBe('HOST_REFUSED');
});

it('a host may be missing in HTTP/1.0 alone, and is judged there all the same', () => {
  expect(refuseHost(ask({}), local)?.code).toBe('BAD_REQUEST');
  expect(refuseHost(ask({}, { httpVersion: '1.0' }), local)).toBeNull();
  expect(refuseHost(ask({ host: 'evil.example' }, { httpVersion: '1.0' }), local)?.code).toBe('HOST_REFUSED');
});

it('a page is of this host or it is foreign', () => {
  const host = '127.0.0.1:8700';
  expect(sameOrigin(ask({ host, origin: 'http://127.0.0.1:8700' }), null)).toBe(true);
  expect(sameOrigin(ask({ host }), null)).toBe(false);
  expect(sameOrigin(ask({ host, 'sec-fetch-site': 'same-origin' }), null)).toBe(true);
  for (const site of ['none', 'same-site', 'cross-site'])
    expect(sameOrigin(ask({ host, 'sec-fetch-site': site }), null)).toBe(false);
  expect(foreignOrigin(ask({ host }), null)).toBe(false);
  for (const origin of ['null', 'http://127.0.0.1:8701', 'https://evil.example', 'file://', ''])
    expect(foreignOrigin(ask({ host, origin }), null)).toBe(true);
});
