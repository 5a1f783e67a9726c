import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { BoundedMap } from '../../../lib/bounded-map.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { ALGORITHMS, isAboutKeys } from './provider-keys.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const OLDEST_SECONDS = 300;

/** What OpenID Connect Back-Channel Logout 1.0 asks of a logout token. Throws LOGOUT_TOKEN_INVALID, PROVIDER_UNREACHABLE. */
export async function checkLogoutToken(
  token: string,
  {
    issuer,
    clientId,
    clockSeconds,
    now,
    keys,
    seen,
  }: {
    issuer: string;
    clientId: string;
    clockSeconds: number;
    now: number;
    keys: JWTVerifyGetKey;
    /** What was taken before. */
    seen: BoundedMap<string, true>;
  },
): Promise<{ sub: string | null; sid: string | null }> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    ...{ issuer, audience: clientId, algorithms: ALGORITHMS, clockTolerance: clockSeconds },
    ...{ maxTokenAge: OLDEST_SECONDS, currentDate: new Date(now), requiredClaims: ['iat', 'jti', 'events'] },
  }).catch((error: unknown) => {
    if (isAboutKeys(error))
      throw new Fault('PROVIDER_UNREACHABLE', `the keys of ${issuer} could not be read (${errorMessage(error)})`);
    throw invalid(errorMessage(error));
  });
  const { jti = '', sub, sid, events, nonce } = payload;
  if (protectedHeader.typ !== undefined && !/^(logout\+)?jwt$/i.test(protectedHeader.typ))
    throw invalid(`its type is ${protectedHeader.typ}`);
  // An ID token is none, whoever got hold of one.
  if (nonce !== undefined) throw invalid('it has a nonce');
  if (!isRecord(events) || !isRecord(events[EVENT])) throw invalid('it tells of no logout');
  const told = { sub: textOf(sub), sid: textOf(sid) };
  if (told.sub === null && told.sid === null) throw invalid('it names nobody');
  if (seen.get(jti)) throw invalid('it was used before');
  seen.set(jti, true);
  return told;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const invalid = (why: string): Fault => new Fault('LOGOUT_TOKEN_INVALID', `the logout token is not valid: ${why}`);
