import type { PasskeyAssertion, PasskeyRegistration } from '../../../contract/passkeys.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { PasskeyPlace } from '../people/port.ts';

/** What a browser is asked for, and what it answers, by the library. Loaded once somebody has a passkey or wants one. */
const library = () => import('@simplewebauthn/server');

type AuthenticatorTransports = readonly string[];
export interface KnownCredential {
  readonly credentialId: string;
  readonly transports: AuthenticatorTransports;
}

/** EdDSA, ES256 and RS256 (COSE): what authenticators have. */
const ALGORITHMS = [-8, -7, -257];
const NAME = 'Yardmaster';

interface Asked {
  readonly place: PasskeyPlace;
  readonly challenge: Uint8Array<ArrayBuffer>;
  readonly milliseconds: number;
}

/** For `navigator.credentials.create`. */
export async function registrationOptions({
  place,
  challenge,
  milliseconds,
  user,
  known,
}: Asked & {
  user: { readonly id: string; readonly login: string; readonly name: string };
  known: readonly KnownCredential[];
}): Promise<object> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    ...{ rpName: NAME, rpID: place.host, challenge, timeout: milliseconds },
    ...{ userID: handleOf(user.id), userName: user.login, userDisplayName: user.name },
    attestationType: 'none',
    // One that names its owner by itself, and asks who holds it.
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: known.map(described),
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** For `navigator.credentials.get`; without credentials the browser offers those that it has for this place. */
export async function assertionOptions({
  place,
  challenge,
  milliseconds,
  known,
}: Asked & { known: readonly KnownCredential[] | null }): Promise<object> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    ...{ rpID: place.host, challenge, timeout: milliseconds, userVerification: 'required' },
    ...(known && { allowCredentials: known.map(described) }),
  });
}

export interface MadeCredential extends KnownCredential {
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly synced: boolean;
}

/** Throws PASSKEY_INVALID. */
export async function verifyRegistration(
  response: PasskeyRegistration,
  { place, challenge }: { place: PasskeyPlace; challenge: string },
): Promise<MadeCredential> {
  const { verifyRegistrationResponse } = await library();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} } as Parameters<
      typeof verifyRegistrationResponse
    >[0]['response'],
    ...{ expectedChallenge: challenge, expectedOrigin: place.origin, expectedRPID: place.host },
    ...{ requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS },
  }).catch(refuse);
  if (!verified || !registrationInfo) throw invalid('the answer of the authenticator is not valid');
  const { credential, credentialBackedUp, credentialDeviceType } = registrationInfo;
  return {
    ...{ credentialId: credential.id, publicKey: credential.publicKey, counter: credential.counter },
    transports: response.response.transports ?? [],
    synced: credentialBackedUp || credentialDeviceType === 'multiDevice',
  };
}

/** How often the authenticator was used, as it says. Whether that fits is for who keeps the count. Throws PASSKEY_INVALID. */
export async function verifyAssertion(
  response: PasskeyAssertion,
  { place, challenge }: { place: PasskeyPlace; challenge: string },
  kept: { readonly credential_id: string; readonly public_key: Uint8Array },
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} } as Parameters<
      typeof verifyAuthenticationResponse
    >[0]['response'],
    ...{ expectedChallenge: challenge, expectedOrigin: place.origin, expectedRPID: place.host },
    requireUserVerification: true,
    credential: { id: kept.credential_id, publicKey: Uint8Array.from(kept.public_key), counter: 0 },
  }).catch(refuse);
  if (!verified) throw invalid('the signature does not fit');
  return authenticationInfo.newCounter;
}

/** Whose a passkey is, as the authenticator keeps it. */
export const handleOf = (userId: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(userId));

const described = ({ credentialId, transports }: KnownCredential) => ({
  id: credentialId,
  transports: [...transports] as never[],
});

const refuse = (error: unknown): never => {
  throw invalid(errorMessage(error));
};

export const invalid = (why: string): Fault =>
  new Fault('PASSKEY_INVALID', `the passkey is not valid here: ${why.slice(0, 200)}`);
