import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../lib/loopback.ts';
import { readTls, refuseOpenMaster, refuseWeakPresets, tokenBits } from './policy.ts';

const open = { host: '0.0.0.0', tls: null, proxies: null, adminToken: null };
const STRONG = '0123456789abcdef0123456789abcdef';
const said: string[] = [];
const log = (line: string) => void said.push(line);
const tls = { certFile: 'cert.pem', keyFile: 'key.pem' };

describe('a master that others can reach', () => {
  it('needs a token and TLS, and is told of both at once', () => {
    expect(() => refuseOpenMaster(open, false, log)).toThrow(/a token .* and TLS/);
    expect(() => refuseOpenMaster({ ...open, tls }, false, log)).toThrow('a token');
    expect(() => refuseOpenMaster(open, true, log)).toThrow('TLS');
  });

  it('starts with both', () => {
    refuseOpenMaster({ ...open, tls, adminToken: STRONG }, false, log);
    refuseOpenMaster({ ...open, proxies: ['::1'] }, true, log);
  });

  it('wants an admin token that nobody guesses', () => {
    expect(() => refuseOpenMaster({ ...open, tls, adminToken: 'hunter2' }, true, log)).toThrow(
      /YARDMASTER_ADMIN_TOKEN can be guessed.*openssl rand -hex 32/,
    );
    expect(said).toEqual([]);
  });

  it('is told of a weak token on loopback, and starts', () => {
    refuseOpenMaster({ ...open, host: '127.0.0.1', adminToken: 'hunter2' }, false, log);
    expect(said.splice(0)).toEqual([expect.stringContaining('can be guessed')]);
    refuseOpenMaster({ ...open, host: '127.0.0.1', adminToken: STRONG }, false, log);
    expect(said).toEqual([]);
  });

  it.each([
    ['0123456789abcdef0123456789abcdef', 128],
    ['0123456789abcdef0123456789abcde', 124],
    ['A1b2C3d4E5f6G7h8I9j0', 119],
    ['A1b2C3d4E5f6G7h8I9j0K2-_', 144],
    ['correct horse battery', 137],
    ['a'.repeat(100), 0],
    ['abababababababababababababababababab', 0],
    ['', 0],
  ])('"%s" has %d bits', (token, bits) => expect(Math.floor(tokenBits(token))).toBe(bits));

  it('is no concern on loopback', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) refuseOpenMaster({ ...open, host }, false, log);
    expect(isLoopback('127.0.0.1.example.org')).toBe(false);
  });
});

it('names a certificate file that is not there', () => {
  expect(() => readTls(tls)).toThrow('cert.pem not found');
});

describe('preset tokens', () => {
  const other = STRONG.toUpperCase();
  it('are strong, and each of one role alone', () => {
    refuseWeakPresets({ adminToken: null });
    refuseWeakPresets({ adminToken: null, presetTokens: { worker: STRONG, viewer: null } });
    expect(() => refuseWeakPresets({ adminToken: null, presetTokens: { worker: null, viewer: 'hunter2' } })).toThrow(
      /YARDMASTER_PRESET_VIEWER_TOKEN can be guessed/,
    );
    expect(() => refuseWeakPresets({ adminToken: STRONG, presetTokens: { worker: STRONG, viewer: other } })).toThrow(
      /YARDMASTER_PRESET_WORKER_TOKEN is also the token of another role/,
    );
    expect(() => refuseWeakPresets({ adminToken: null, presetTokens: { worker: other, viewer: other } })).toThrow(
      'another role',
    );
  });
});
