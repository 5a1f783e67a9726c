import { createHmac, createSign, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Endpoint = 'discovery' | 'jwks' | 'token' | 'userinfo';
type Claims = Record<string, unknown>;

/** A provider of OpenID Connect of which a test decides every byte, and what is asked of it. */
export interface HostileProvider {
  readonly issuer: string;
  /** Instead of the honest answer of an endpoint. */
  readonly answers: Partial<Record<Endpoint, (request: IncomingMessage, response: ServerResponse) => void>>;
  /** How often each was asked. */
  readonly asked: Record<Endpoint, number>;
  /** Laid over the honest claims of ID tokens; undefined takes one away. */
  claims: Claims;
  /** Laid over what userinfo tells. */
  told: Claims;
  /** Makes the ID token of claims. */
  sign(claims: Claims): string;
  /** The key that it publishes. */
  key: SigningKey;
  discovery: Claims;
  /** Who signs in: back at the master, from an address that the master sent the browser to. */
  visit(url: string): string;
  close(): Promise<void>;
}

export interface SigningKey {
  /** Undefined: tokens do not name it. */
  readonly kid: string | undefined;
  readonly own: KeyObject;
  readonly published: KeyObject;
}

export function signingKey(kid: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid, own: privateKey, published: publicKey };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
export function rs256(claims: Claims, { kid, own }: SigningKey): string {
  const text = `${part({ alg: 'RS256', kid })}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(own, 'base64url')}`;
}
export function hs256(claims: Claims, secret: string | Buffer, header: Claims = {}): string {
  const text = `${part({ alg: 'HS256', ...header })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
export const unsigned = (claims: Claims): string => `${part({ alg: 'none' })}.${part(claims)}.`;

export async function startHostileProvider(clientId = 'yardmaster'): Promise<HostileProvider> {
  const nonces = new Map<string, string>();
  const server = createServer((request, response) => {
    const name = request.url?.slice(1).split('?', 1)[0] ?? '';
    const endpoint = name === '.well-known/openid-configuration' ? 'discovery' : (name as Endpoint);
    it.asked[endpoint]++;
    const other = it.answers[endpoint];
    if (other) return other(request, response);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = honest(endpoint, new URLSearchParams(body));
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function honest(endpoint: Endpoint, form: URLSearchParams): { status?: number; body: unknown } {
    if (endpoint === 'discovery')
      return {
        body: {
          ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
          ...{ jwks_uri: `${issuer}/jwks`, userinfo_endpoint: `${issuer}/userinfo` },
          ...it.discovery,
        },
      };
    if (endpoint === 'jwks')
      return {
        body: { keys: [{ ...it.key.published.export({ format: 'jwk' }), kid: it.key.kid, alg: 'RS256', use: 'sig' }] },
      };
    if (endpoint === 'userinfo') return { body: { sub: 'mallory', ...it.told } };
    const code = form.get('code') ?? '';
    const nonce = nonces.get(code);
    nonces.delete(code);
    if (form.get('grant_type') === 'authorization_code' && nonce === undefined)
      return { status: 400, body: { error: 'invalid_grant' } };
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, sub: 'mallory', aud: clientId, exp: now + 300, iat: now, nonce, ...it.claims };
    return {
      body: {
        ...{ access_token: 'a', token_type: 'bearer', expires_in: 300, refresh_token: 'r' },
        id_token: it.sign(claims),
      },
    };
  }

  const it: HostileProvider = {
    issuer,
    answers: {},
    asked: { discovery: 0, jwks: 0, token: 0, userinfo: 0 },
    claims: {},
    told: {},
    key: signingKey('one'),
    discovery: {},
    sign: (claims) => rs256(claims, it.key),
    visit(url) {
      const { searchParams } = new URL(url);
      const code = randomUUID();
      nonces.set(code, searchParams.get('nonce') ?? '');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      return back.href;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return it;
}
