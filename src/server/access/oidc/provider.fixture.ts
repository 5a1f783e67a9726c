import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

/** A real provider of OpenID Connect in this process, which signs in whom a test says. */
export interface TestProvider {
  readonly issuer: string;
  /** Who is at the browser, and what it tells of them; null: it refuses. */
  account: { sub: string; claims: Record<string, unknown> } | null;
  /** Accounts that were disabled. */
  readonly disabled: Set<string>;
  /** Follows the provider's own pages from its authorization URL back to ours. */
  visit(url: string): Promise<string>;
  close(): Promise<void>;
}

export async function startTestProvider(redirectUri: string, over: Configuration = {}): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const disabled = new Set<string>();
  const claims = new Map<string, Record<string, unknown>>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'yardmaster',
        client_secret: 'the secret of the client',
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL('/', redirectUri).href],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    issueRefreshToken: async () => true,
    findAccount: async (_context, sub) =>
      disabled.has(sub) ? undefined : { accountId: sub, claims: async () => ({ sub, ...claims.get(sub) }) },
    cookies: { keys: ['cookies of a test'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    ...over,
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    void interact(request, response);
  });
  async function interact(...[request, response]: Parameters<typeof handle>): Promise<void> {
    const { account } = it;
    const details = await provider.interactionDetails(request, response);
    if (account === null)
      return provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'no' });
    claims.set(account.sub, account.claims);
    if (details.prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: account.sub } });
    const grant = new provider.Grant({ accountId: account.sub, clientId: 'yardmaster' });
    grant.addOIDCScope('openid profile email groups offline_access');
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }

  const it: TestProvider = {
    issuer,
    account: null,
    disabled,
    async visit(url) {
      const cookies = new Map<string, string>();
      let place = url;
      for (let i = 0; i < 12 && place.startsWith(issuer); i++) {
        const answer = await fetch(place, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        for (const text of answer.headers.getSetCookie()) {
          const [name = '', value = ''] = (text.split(';', 1)[0] ?? '').split(/=(.*)/s);
          cookies.set(name, value);
        }
        const next = answer.headers.get('location');
        if (next === null) throw new Error(`the provider stopped at ${place}: ${answer.status} ${await answer.text()}`);
        place = new URL(next, place).href;
      }
      return place;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return it;
}
