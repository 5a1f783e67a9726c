import type { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAuthority, type IssuedCertificate } from '../../lib/certificate-authority.fixture.ts';
import { parseAuthorities, checkChain } from './certificate-chain.ts';

const house = createAuthority('House CA');
const now = new Date();
const presented = ({ cert }: IssuedCertificate) => parseAuthorities(cert);
const trusted = parseAuthorities(house.cert);
const check = (issued: IssuedCertificate, host = 'master.house', authorities = trusted) =>
  checkChain(presented(issued), authorities, host, now);

test('a certificate of the named authority is taken, by name and by address', () => {
  expect(check(house.issue({ names: ['master.house'] }))).toBeNull();
  expect(check(house.issue({ names: ['*.yard.house'] }), 'master.yard.house')).toBeNull();
  expect(check(house.issue({ addresses: ['127.0.0.1'] }), '127.0.0.1')).toBeNull();
});

test('an authority between counts where the server sends it, and not where it does not', () => {
  const issued = house.below('Office CA').issue({ names: ['master.house'] });
  expect(check(issued)).toBeNull();
  expect(checkChain(presented(issued).slice(0, 1), trusted, 'master.house', now)).toBe('authority');
});

test('another authority, also of the same name, is refused', () => {
  expect(check(createAuthority('Other CA').issue({ names: ['master.house'] }))).toBe('authority');
  expect(check(createAuthority('House CA').issue({ names: ['master.house'] }))).toBe('authority');
  expect(checkChain([], trusted, 'master.house', now)).toBe('authority');
});

test('a certificate that is no authority vouches for nothing', () => {
  const server = house.issue({ names: ['master.house'] });
  const forged = createAuthority('master.house').issue({ names: ['bank.house'] });
  expect(checkChain([...presented(forged), ...presented(server)], trusted, 'bank.house', now)).toBe('authority');
});

test('another name, a day that is over or not come, a weak key, one for clients: each is told apart', () => {
  expect(check(house.issue({ names: ['other.house'] }))).toBe('name');
  expect(check(house.issue({ names: ['master.house'] }), '127.0.0.1')).toBe('name');
  expect(check(house.issue({ names: ['master.house'], to: -1000 }))).toBe('date');
  expect(check(house.issue({ names: ['master.house'], from: 3_600_000 }))).toBe('date');
  expect(check(house.below('Old CA', { to: -1000 }).issue({ names: ['master.house'] }))).toBe('date');
  expect(check(house.issue({ names: ['master.house'], rsaBits: 1024 }))).toBe('weak');
  expect(check(house.issue({ names: ['master.house'], rsaBits: 2048 }))).toBeNull();
  expect(check(house.issue({ names: ['master.house'], forClients: true }))).toBe('weak');
});

test('a server certificate named by itself is taken, for its own name alone', () => {
  const { cert } = createAuthority('Somebody').issue({ names: ['master.house'] });
  const [own] = parseAuthorities(cert) as [X509Certificate];
  expect(checkChain([own], [own], 'master.house', now)).toBeNull();
  expect(checkChain([own], [own], 'bank.house', now)).toBe('name');
});

test.each([
  '',
  'no certificate',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  house.cert.repeat(60),
])('what is no certificate is refused with a reason', (text) => {
  expect(() => parseAuthorities(text)).toThrow(/certificate/);
});
