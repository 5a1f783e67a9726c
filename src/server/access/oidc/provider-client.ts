import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import type { OidcOptions } from '../../../contract/process.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { forTerminal } from '../../../lib/for-terminal.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { isPlainLocal, refusePlainEndpoints } from './endpoints.ts';
import type { ProviderKeys } from './provider-keys.ts';

/** What a provider said of somebody, and how to ask it again. */
export interface ProviderAnswer {
  /** Of the ID token and of userinfo, as they came. `sub` is text. */
  readonly claims: Readonly<Record<string, unknown>> & { readonly sub: string };
  readonly refreshToken: string | null;
  readonly idToken: string | null;
}

export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider of OpenID Connect. Throws PROVIDER_UNREACHABLE, PROVIDER_INVALID, CLOCK_WRONG, SIGN_IN_REFUSED, SIGN_IN_EXPIRED. */
export interface ProviderClient {
  readonly issuer: string;
  /** Where the browser goes. */
  authorizationUrl(redirectUri: string, checks: Checks): Promise<string>;
  /** What the browser came back with. */
  finish(callback: URL, checks: Checks): Promise<ProviderAnswer>;
  /**
   * Asks again whether somebody still is who they were; SIGN_IN_REFUSED: no longer.
   *
   * @param replaced is given the token that takes the place of this one, also where what follows fails
   */
  refresh(
    refreshToken: string,
    before: { readonly sub: string },
    replaced: (refreshToken: string) => void,
  ): Promise<ProviderAnswer>;
  /** Who signed out there, by a logout token that the provider signed; each is taken once. At least one of the two. Throws LOGOUT_TOKEN_INVALID. */
  logoutOf(logoutToken: string): Promise<{ readonly sub: string | null; readonly sid: string | null }>;
  /** Where the browser goes to sign out there too; null: the provider has no such page. */
  endSessionUrl(idToken: string | null, returnTo: string): Promise<string | null>;
}

const ANSWER_SECONDS = 10;
/** Metadata of a provider changes seldom; keys are looked up when a new one signs. */
const KNOWN_MS = 3_600_000;
const AGAIN_MS = 60_000;

/** Logout tokens that were taken; they are too old long before so many came. */
const REMEMBERED = 10_000;
const SAID_CHARACTERS = 500;

type Library = typeof import('openid-client');
type Answer = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** The library is loaded with the first sign-in: most masters have no provider. */
export function createProviderClient(
  options: OidcOptions,
  { clockSeconds, now }: { clockSeconds(): number; now(): number },
): ProviderClient {
  const issuer = new URL(options.issuer);
  let known: { config: Promise<Configuration>; at: number } | null = null;

  const seen = new BoundedMap<string, true>(REMEMBERED);
  let keys: { at: string; set: ProviderKeys } | null = null;
  /** Loaded with the first token that one has to check. */
  async function keysAt(at: string | undefined): Promise<() => ProviderKeys> {
    const { keysOf } = await import('./provider-keys.ts');
    return () => {
      if (at === undefined) throw new Fault('PROVIDER_INVALID', `the provider ${options.issuer} publishes no keys`);
      if (keys?.at !== at) keys = { at, set: keysOf(at) };
      return keys.set;
    };
  }

  const load = (): Promise<Library> => import('openid-client');
  async function discover(library: Library): Promise<Configuration> {
    const metadata = {
      ...(options.clientSecret === null ? {} : { client_secret: options.clientSecret }),
      [library.clockTolerance]: clockSeconds(),
    };
    const auth = options.clientSecret === null ? library.None() : undefined;
    const config = await library.discovery(issuer, options.clientId, metadata, auth, {
      timeout: ANSWER_SECONDS,
      [library.customFetch]: boundedFetch,
      // On this machine nobody reads along; elsewhere the option is refused.
      ...(isPlainLocal(issuer) ? { execute: [library.allowInsecureRequests] } : {}),
    });
    refusePlainEndpoints(issuer, { ...config.serverMetadata() });
    return config;
  }
  async function config(library: Library): Promise<Configuration> {
    if (known && now() - known.at < KNOWN_MS && now() >= known.at) return known.config;
    const before = known;
    const next = { config: discover(library), at: now() };
    known = next;
    try {
      return await next.config;
    } catch (error) {
      // What was known of it may still do, and is asked for again after a while: each sign-in would wait for its end.
      known = before && { ...before, at: now() - KNOWN_MS + AGAIN_MS };
      if (before) return before.config;
      throw error;
    }
  }
  async function asked<T>(run: (library: Library, config: Configuration) => T | Promise<T>): Promise<T> {
    const library = await load();
    try {
      return await run(library, await config(library));
    } catch (error) {
      throw faultOf(error, options.issuer, clockSeconds());
    }
  }
  async function answerOf(
    library: Library,
    config: Configuration,
    answer: Answer,
    sub: string | undefined,
  ): Promise<ProviderAnswer> {
    const fromToken = answer.claims();
    if (fromToken && answer.id_token !== undefined) {
      const { checkIdToken } = await import('./id-token.ts');
      await checkIdToken(answer.id_token, fromToken, {
        ...{ issuer: options.issuer, clientId: options.clientId, clientSecret: options.clientSecret },
        ...{ clockSeconds: clockSeconds(), now: now(), keys: await keysAt(config.serverMetadata().jwks_uri) },
      });
    }
    const subject = fromToken?.sub ?? sub;
    if (subject === undefined || (sub !== undefined && subject !== sub))
      throw new Fault('PROVIDER_INVALID', 'the provider told of somebody else than was asked for');
    // Many providers tell groups and e-mail only there; and it says whether the account still is.
    const told =
      config.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await library.fetchUserInfo(config, answer.access_token, subject).catch((error: unknown) => {
            if (errorCode(error) !== CHALLENGE) throw error;
            throw new Fault('SIGN_IN_REFUSED', `the provider ${options.issuer} no longer knows the account`);
          });
    return {
      claims: { ...fromToken, ...told, sub: subject },
      refreshToken: answer.refresh_token ?? null,
      idToken: answer.id_token ?? null,
    };
  }

  return {
    issuer: options.issuer,
    authorizationUrl: (redirectUri, { state, nonce, verifier }) =>
      asked(
        async (library, known) =>
          library.buildAuthorizationUrl(known, {
            ...{ redirect_uri: redirectUri, scope: options.scopes.join(' '), state, nonce },
            code_challenge: await library.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
          }).href,
      ),
    finish: (callback, { state, nonce, verifier }) =>
      asked(async (library, known) => {
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        return answerOf(library, known, await library.authorizationCodeGrant(known, callback, checks), undefined);
      }),
    refresh: (refreshToken, { sub }, replaced) =>
      asked(async (library, known) => {
        const answer = await library.refreshTokenGrant(known, refreshToken);
        if (answer.refresh_token !== undefined) replaced(answer.refresh_token);
        return answerOf(library, known, answer, sub);
      }),
    async logoutOf(logoutToken) {
      const published = await keysAt(await asked((_library, config) => config.serverMetadata().jwks_uri));
      const { checkLogoutToken } = await import('./logout-token.ts');
      return checkLogoutToken(logoutToken, {
        ...{ issuer: options.issuer, clientId: options.clientId, clockSeconds: clockSeconds(), now: now(), seen },
        keys: published(),
      });
    },
    endSessionUrl: (idToken, returnTo) =>
      asked((library, known) =>
        known.serverMetadata().end_session_endpoint === undefined
          ? null
          : library.buildEndSessionUrl(known, {
              post_logout_redirect_uri: returnTo,
              ...(idToken === null ? {} : { id_token_hint: idToken }),
            }).href,
      ),
  };
}

const CHALLENGE = 'OAUTH_WWW_AUTHENTICATE_CHALLENGE';
const UNREACHABLE = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR']);

/** What went wrong, for whoever can do something about it. */
function faultOf(error: unknown, issuer: string, seconds: number): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof Error && error.cause instanceof Fault) return error.cause;
  const code = errorCode(error) ?? '';
  const cause = error instanceof Error ? error.cause : undefined;
  const why = [errorMessage(error), ...(cause instanceof Error ? [errorCode(cause) ?? errorMessage(cause)] : [])].join(
    ': ',
  );
  const fault = (of: Fault['code'], detail: string) => new Fault(of, detail, { cause: error });
  const said = error as { error?: unknown; error_description?: unknown; status?: number };
  // Anybody who begins a sign-in may send this: it goes to the log as one short line.
  const text = forTerminal([said.error, said.error_description].filter((part) => typeof part === 'string').join(': '))
    .replace(/\s+/g, ' ')
    .slice(0, SAID_CHARACTERS);

  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR')
    return fault('SIGN_IN_REFUSED', `the provider ${issuer} refused the sign-in (${text})`);
  // So it refuses the master itself: nothing that was said of anybody who is signed in.
  if (code === CHALLENGE || said.error === 'invalid_client' || said.error === 'unauthorized_client')
    return fault(
      'PROVIDER_INVALID',
      `the provider ${issuer} does not know this client: check --oidc-client-id and the client secret (${text || why})`,
    );
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') {
    if (said.error === 'invalid_grant')
      return fault(
        'SIGN_IN_REFUSED',
        `the provider ${issuer} does not accept the code or refresh token: it was used, has expired, or the account was disabled (${text})`,
      );
    return fault(
      'PROVIDER_INVALID',
      `the provider ${issuer} answered ${text}; if it is about the redirect URI, register it there`,
    );
  }
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
    return fault(
      'CLOCK_WRONG',
      `the clocks of this master and of ${issuer} differ by more than ${seconds} s (oidcClockSeconds): set them by NTP (${why})`,
    );
  const status = cause instanceof Response ? cause.status : (said.status ?? 0);
  if (cause instanceof TypeError || error instanceof TypeError || UNREACHABLE.has(code) || status >= 500)
    return fault(
      'PROVIDER_UNREACHABLE',
      `the provider ${issuer} does not answer as it should: is it running, and is --oidc-issuer its address? (${why})`,
    );
  return fault('PROVIDER_INVALID', `what came from ${issuer} is not valid for this sign-in (${why})`);
}
