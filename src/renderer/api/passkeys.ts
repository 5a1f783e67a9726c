import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { PasskeyAssertion, PasskeyRegistration } from '../../contract/passkeys.ts';
import { t } from '../../lib/language.ts';
import { call } from './client.ts';
import { peopleKeys } from './people.ts';
import { read } from './read.ts';

/** Passkeys: the master asks, the browser and its authenticator answer. */

const library = () => import('@simplewebauthn/browser');

/** Browsers have them for names alone, and where nobody reads along. */
export const browserHasPasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' &&
  window.isSecureContext &&
  !/^[\d.]+$|^\[/.test(window.location.hostname);

export const ownPasskeysQuery = () => read(peopleKeys.ownPasskeys, 'passkeys.list', {});
export const passkeysOfQuery = (id: string) => read(peopleKeys.passkeysOf(id), 'passkeys.listOf', { params: { id } });
export const renamePasskey = (id: string, name: string) => call('passkeys.rename', { params: { id }, body: { name } });
export const removePasskey = (id: string) => call('passkeys.remove', { params: { id } });
export const removePasskeyOf = (id: string, passkeyId: string) =>
  call('passkeys.removeOf', { params: { id, passkeyId } });

export async function signInByPasskey(): Promise<void> {
  const { options } = await call('passkeys.beginSignIn');
  await call('passkeys.signIn', { body: { response: await assertion(options) } });
}

/** In place of a one-time password. */
export async function makeFirstPasskey(input: { login: string; password: string }): Promise<void> {
  const { options } = await call('passkeys.beginFirst', { body: input });
  await call('passkeys.makeFirst', { body: { name: suggestedName(), response: await registration(options) } });
}

/** `password` null: confirmed by another passkey. */
export async function addPasskey(name: string, password: string | null): Promise<void> {
  const { options } = await call('passkeys.begin', {
    body: password === null ? { passkey: await confirmation() } : { password },
  });
  await call('passkeys.add', { body: { name, response: await registration(options) } });
}

async function confirmation(): Promise<PasskeyAssertion> {
  const { options } = await call('passkeys.confirm');
  return assertion(options);
}

async function assertion(options: unknown): Promise<PasskeyAssertion> {
  const { startAuthentication } = await library();
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return (await startAuthentication({ optionsJSON }).catch(explain)) as PasskeyAssertion;
}

async function registration(options: unknown): Promise<PasskeyRegistration> {
  const { startRegistration } = await library();
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return (await startRegistration({ optionsJSON }).catch(explain)) as PasskeyRegistration;
}

/** Browsers say little, on purpose, and each in words of its own. */
function explain(error: unknown): never {
  const { code, name } = error as Partial<WebAuthnError>;
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    throw new Error(t('This device or security key has a passkey of yours already.'));
  if (
    code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT' ||
    code === 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT'
  )
    throw new Error(
      t('This security key cannot check who holds it, or keep passkeys. Set a PIN for it, or take another.'),
    );
  if (name === 'NotAllowedError' || name === 'AbortError')
    throw new Error(t('It was cancelled, took too long, or there is no passkey for this address here.'));
  throw error;
}

/** What one is called at first: where it was made. */
export function suggestedName(): string {
  const { userAgentData, platform } = navigator as Navigator & { userAgentData?: { platform?: string } };
  const system = userAgentData?.platform || platform.split(' ')[0];
  return system ? t('Passkey on {system}', { system }) : t('Passkey');
}
