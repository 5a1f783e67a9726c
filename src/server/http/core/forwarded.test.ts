import fc from 'fast-check';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createProxies } from '../../../lib/proxies.ts';
import { clientAddress, isEncrypted, isFromLoopback } from './forwarded.ts';

const proxies = createProxies(['127.0.0.1', '10.0.0.0/8']);
const ask = (headers: IncomingHttpHeaders, remoteAddress: string | undefined = '127.0.0.1') => ({
  headers,
  socket: { remoteAddress },
});
const through = (forwarded: string, remoteAddress?: string) =>
  clientAddress(ask({ 'x-forwarded-for': forwarded }, remoteAddress), proxies);

describe('the address of a client', () => {
  it('is what the last proxy was called from, whatever the client says it is', () => {
    expect(through('203.0.113.9')).toBe('203.0.113.9');
    expect(through('1.1.1.1, 203.0.113.9')).toBe('203.0.113.9');
    expect(through('127.0.0.1, 203.0.113.9')).toBe('203.0.113.9');
  });

  it('is looked for past each proxy that is trusted', () => {
    expect(through('1.1.1.1, 203.0.113.9, 10.0.0.5, 127.0.0.1')).toBe('203.0.113.9');
    expect(through('10.0.0.7')).toBe('10.0.0.7');
  });

  it('is the peer where that is no proxy', () => {
    expect(through('203.0.113.9', '192.0.2.1')).toBe('192.0.2.1');
    expect(clientAddress(ask({ 'x-forwarded-for': '203.0.113.9' }), null)).toBe('127.0.0.1');
    expect(clientAddress(ask({}, '::ffff:192.0.2.1'), null)).toBe('192.0.2.1');
    expect(clientAddress({ headers: {}, socket: {} }, proxies)).toBeNull();
  });

  it('is that of the nearest proxy where it says nothing that is an address', () => {
    expect(through('unknown')).toBe('127.0.0.1');
    expect(through('203.0.113.9, unknown, 10.0.0.5')).toBe('10.0.0.5');
  });

  it('never comes from what stands left of the first address that is no proxy', () => {
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), fc.array(fc.constantFrom('127.0.0.1', '10.1.2.3')), (said, client, chain) => {
        fc.pre(!proxies.trusts(client));
        expect(through([said, client, ...chain].join(', '))).toBe(client);
      }),
    );
  });
});

it('a connection is encrypted where its own end or a trusted proxy says so', () => {
  expect(isEncrypted(ask({ 'x-forwarded-proto': 'https' }), proxies)).toBe(true);
  expect(isEncrypted(ask({ 'x-forwarded-proto': 'https, http' }), proxies)).toBe(false);
  expect(isEncrypted(ask({ 'x-forwarded-proto': 'https' }, '192.0.2.1'), proxies)).toBe(false);
  expect(isEncrypted(ask({ 'x-forwarded-proto': 'https' }), null)).toBe(false);
  expect(isEncrypted({ headers: {}, socket: { encrypted: true } as never }, null)).toBe(true);
});

it('nobody is on this machine behind a proxy, nor who was passed on for another', () => {
  expect(isFromLoopback(ask({}), null)).toBe(true);
  expect(isFromLoopback(ask({}, '::ffff:127.0.0.1'), null)).toBe(true);
  expect(isFromLoopback(ask({ 'x-forwarded-for': '127.0.0.1, ::1' }), null)).toBe(true);
  expect(isFromLoopback(ask({}, '192.0.2.1'), null)).toBe(false);
  expect(isFromLoopback(ask({ 'x-forwarded-for': '203.0.113.9' }), null)).toBe(false);
  expect(isFromLoopback(ask({ 'x-forwarded-for': 'unknown' }), null)).toBe(false);
  expect(isFromLoopback(ask({}), proxies)).toBe(false);
});
