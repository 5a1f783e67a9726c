import { describe, expect, it } from 'vitest';
import { isLoopback, readTls, refuseOpenMaster } from './policy.ts';

const open = { host: '0.0.0.0', tls: null, behindProxy: false, adminToken: null };
const tls = { certFile: 'cert.pem', keyFile: 'key.pem' };

describe('a master that others can reach', () => {
  it('needs a token and TLS, and is told of both at once', () => {
    expect(() => refuseOpenMaster(open, false)).toThrow(/a token .* and TLS/);
    expect(() => refuseOpenMaster({ ...open, tls }, false)).toThrow('a token');
    expect(() => refuseOpenMaster(open, true)).toThrow('TLS');
  });

  it('starts with both', () => {
    refuseOpenMaster({ ...open, tls, adminToken: 'secret' }, false);
    refuseOpenMaster({ ...open, behindProxy: true }, true);
  });

  it('is no concern on loopback', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) refuseOpenMaster({ ...open, host }, false);
    expect(isLoopback('127.0.0.1.example.org')).toBe(false);
  });
});

it('names a certificate file that is not there', () => {
  expect(() => readTls(tls)).toThrow('cert.pem not found');
});
