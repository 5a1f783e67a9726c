import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { oidcOf } from './oidc-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'oidc-options-'));
afterAll(() => rmSync(folder, { recursive: true }));
const given = { oidcIssuer: 'https://login.example.com/realms/work', oidcClientId: 'yard' };

describe('the provider of the command line', () => {
  it('is none unless it is named', () => {
    expect(oidcOf({}, {})).toBeNull();
  });

  it('has the usual scopes and claim, its host as a name, and makes people', () => {
    expect(oidcOf(given, { YARDMASTER_OIDC_CLIENT_SECRET: 's' })).toEqual({
      issuer: given.oidcIssuer,
      clientId: 'yard',
      clientSecret: 's',
      name: 'login.example.com',
      scopes: ['openid', 'profile', 'email'],
      groupsClaim: 'groups',
      allowedDomains: [],
      createUsers: true,
    });
  });

  it('takes scopes, domains and a secret in a file', () => {
    const file = join(folder, 'secret');
    writeFileSync(file, 'of a file\n');
    expect(
      oidcOf(
        {
          ...given,
          oidcClientSecretFile: file,
          oidcScopes: 'profile offline_access',
          oidcAllowedDomains: ['@Example.org'],
          oidcKnownOnly: true,
        },
        {},
      ),
    ).toMatchObject({
      clientSecret: 'of a file',
      scopes: ['openid', 'profile', 'offline_access'],
      allowedDomains: ['example.org'],
      createUsers: false,
    });
  });

  it.each([
    [{ oidcClientId: 'yard' }, 'need --oidc-issuer'],
    [{ oidcIssuer: 'https://login.example.com' }, 'needs --oidc-client-id'],
    [{ ...given, oidcIssuer: 'http://login.example.com' }, 'https URL'],
    [{ ...given, oidcIssuer: 'login.example.com' }, 'https URL'],
    [{ ...given, oidcClientSecretFile: join(folder, 'none') }, 'cannot be read'],
  ])('is refused where it is incomplete or in the clear: %j', (flags, says) => {
    expect(() => oidcOf(flags, {})).toThrow(says);
  });

  it('may be in the clear on this machine', () => {
    expect(oidcOf({ ...given, oidcIssuer: 'http://127.0.0.1:9' }, {})?.issuer).toBe('http://127.0.0.1:9');
  });
});
