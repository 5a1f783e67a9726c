import { Fault } from '../../../lib/fault.ts';
import { isLoopback } from '../../../lib/loopback.ts';

/** What the master, or a browser that it sends there, opens of what a provider names. */
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
] as const;

/** `http` to a name of this machine alone, where nobody reads along. */
export const isPlainLocal = (url: URL): boolean =>
  url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));

/**
 * Holds the endpoints that a provider names to what holds for the issuer: keys that came over plain `http` may be those of
 * anybody on the way. `http` on loopback only where the issuer itself is there: no provider elsewhere sends this master to its
 * own machine. Throws PROVIDER_INVALID, which names the endpoint.
 */
export function refusePlainEndpoints(issuer: URL, metadata: Readonly<Record<string, unknown>>): void {
  for (const name of ENDPOINTS) {
    const named = metadata[name];
    if (named === undefined) continue;
    const url = typeof named === 'string' ? URL.parse(named) : null;
    if (url?.protocol === 'https:' || (url && isPlainLocal(url) && isPlainLocal(issuer))) continue;
    throw new Fault(
      'PROVIDER_INVALID',
      `the provider ${issuer.href} names ${JSON.stringify(named)} as its ${name}: an https URL was expected (http only where the provider runs on this machine). Correct the public address in the settings of the provider`,
    );
  }
}
