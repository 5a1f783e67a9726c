import { SIGN_IN_FAILURES, type SignInFailure } from '../../../contract/sign-in-failures.ts';
import { t } from '../../../lib/language.ts';

/** What somebody who was sent back from the provider can do about it. The log of the master has the provider's own words. */
const TEXTS: Readonly<Record<SignInFailure, string>> = {
  PROVIDER_UNREACHABLE: t(
    'The sign-in provider does not answer. Try again in a moment; if it lasts, tell an administrator. Passwords and tokens of this master still work.',
  ),
  PROVIDER_INVALID: t(
    'The answer of the sign-in provider does not fit. An administrator finds the reason in the log of the master: often the client, its secret or the redirect URI are registered otherwise.',
  ),
  CLOCK_WRONG: t('The clocks of the master and of the sign-in provider differ. An administrator has to set them.'),
  SIGN_IN_EXPIRED: t('This sign-in took too long, was used already, or began in another browser. Sign in again.'),
  SIGN_IN_REFUSED: t('The sign-in provider refused, or you cancelled there.'),
  IDENTITY_REFUSED: t('This account may not sign in here. Ask an administrator to let you in.'),
  TOO_MANY_ATTEMPTS: t('Too many sign-ins failed from here. Wait some minutes.'),
  TOO_MANY_USERS: t('There are as many people as this master allows. Ask an administrator.'),
};

/** Why the sign-in of `#sign-in-failed=CODE` failed; cleans the address. Null: there was none. */
export function takeSignInFailure(location: Location, history: History): string | null {
  const code = /^#sign-in-failed=([A-Z_]+)$/.exec(location.hash)?.[1];
  const known = SIGN_IN_FAILURES.find((one) => one === code);
  if (known === undefined) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return TEXTS[known];
}
