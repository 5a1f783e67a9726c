import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { refusePlainEndpoints } from './endpoints.ts';
import { createProviderClient } from './provider-client.ts';

const there = new URL('https://login.example.com/realms/work');
const here = new URL('http://127.0.0.1:9090');
const check = (issuer: URL, metadata: Record<string, unknown>) => () => refusePlainEndpoints(issuer, metadata);

it('takes https anywhere, and what is not named', () => {
  expect(
    check(there, {
      token_endpoint: 'https://login.example.com/token',
      jwks_uri: 'https://keys.example.net/jwks',
      userinfo_endpoint: undefined,
    }),
  ).not.toThrow();
});

it.each(['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'end_session_endpoint'])(
  'refuses by name a %s that others read or change on the way',
  (name) => {
    for (const url of ['http://login.example.com/x', 'javascript:alert(1)', 'file:///etc/passwd', 'ftp://a/b', '', 7])
      for (const issuer of [there, here])
        expect(check(issuer, { [name]: url })).toThrow(
          expect.objectContaining({ code: 'PROVIDER_INVALID', message: expect.stringContaining(`as its ${name}`) }),
        );
  },
);

it('takes http on loopback from a provider there alone', () => {
  for (const jwks_uri of ['http://127.0.0.1:9090/jwks', 'http://localhost/jwks', 'http://[::1]:1/jwks']) {
    expect(check(here, { jwks_uri })).not.toThrow();
    expect(check(there, { jwks_uri })).toThrow('jwks_uri');
  }
  expect(check(here, { jwks_uri: 'http://127.0.0.1.example.com/jwks' })).toThrow('jwks_uri');
});

it('asks nothing of a provider that names such an endpoint', async () => {
  const server = createServer((_request, response) => {
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: 'http://keys.example.invalid/jwks',
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const client = createProviderClient(
      {
        ...{ issuer: `http://127.0.0.1:${port}`, clientId: 'yardmaster', clientSecret: 'x', name: 'Example' },
        ...{ scopes: ['openid'], groupsClaim: 'groups', allowedDomains: [], createUsers: true },
      },
      { clockSeconds: () => 30, now: () => Date.now() },
    );
    const named = expect.objectContaining({
      code: 'PROVIDER_INVALID',
      message: expect.stringContaining('"http://keys.example.invalid/jwks" as its jwks_uri'),
    });
    await expect(client.logoutOf('a.b.c')).rejects.toEqual(named);
    const checks = { state: 's', nonce: 'n', verifier: 'v' };
    await expect(client.authorizationUrl('http://127.0.0.1:8700/back', checks)).rejects.toEqual(named);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
