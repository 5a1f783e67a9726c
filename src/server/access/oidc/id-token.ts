import { compactVerify, decodeProtectedHeader, errors, type CompactVerifyGetKey } from 'jose';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { ALGORITHMS, isAboutKeys, type ProviderKeys } from './provider-keys.ts';

const SHARED = ['HS256', 'HS384', 'HS512'];

/**
 * What the library leaves out of an ID token that came over a connection of the master's own: who signed it, whom it was made
 * for, and that it was not made in the future. A token endpoint may be another machine than the one that signs. Throws
 * PROVIDER_INVALID, PROVIDER_UNREACHABLE, CLOCK_WRONG.
 */
export async function checkIdToken(
  token: string,
  claims: Readonly<Record<string, unknown>>,
  {
    issuer,
    clientId,
    clientSecret,
    clockSeconds,
    now,
    keys,
  }: {
    issuer: string;
    clientId: string;
    /** Null: a public client, with which no provider shares a key. */
    clientSecret: string | null;
    clockSeconds: number;
    now: number;
    keys(): ProviderKeys;
  },
): Promise<void> {
  const { azp, iat } = claims;
  if (azp !== undefined && azp !== clientId)
    throw new Fault('PROVIDER_INVALID', `the ID token of ${issuer} was made for another client (azp)`);
  if (typeof iat === 'number' && iat > now / 1000 + clockSeconds)
    throw new Fault(
      'CLOCK_WRONG',
      `the ID token of ${issuer} was made in the future: the clocks of this master and the provider differ by more than ${clockSeconds} s (oidcClockSeconds)`,
    );
  try {
    const { alg } = decodeProtectedHeader(token);
    // A key that is published is never the one that both share, whatever the token says.
    if (alg !== undefined && SHARED.includes(alg) && clientSecret !== null)
      await compactVerify(token, Buffer.from(clientSecret), { algorithms: SHARED });
    else await verifyByPublished(token, keys());
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (isAboutKeys(error))
      throw new Fault('PROVIDER_UNREACHABLE', `the keys of ${issuer} could not be read (${errorMessage(error)})`);
    throw new Fault('PROVIDER_INVALID', `the ID token of ${issuer} is not signed by it (${errorMessage(error)})`);
  }
}

async function verifyByPublished(token: string, keys: ProviderKeys): Promise<void> {
  try {
    await verifyByAny(token, keys);
  } catch (error) {
    // A new key under the name of an old one.
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || keys.coolingDown) throw error;
    await keys.reload();
    await verifyByAny(token, keys);
  }
}

/** A token that does not say by which key may be of any that fits. */
async function verifyByAny(token: string, keys: CompactVerifyGetKey): Promise<void> {
  try {
    await compactVerify(token, keys, { algorithms: ALGORITHMS });
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const isBy = await compactVerify(token, key, { algorithms: ALGORITHMS }).catch(() => null);
      if (isBy) return;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}
