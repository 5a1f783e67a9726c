import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';

/** What is taken of the claims of a provider. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  /** Letters, digits and . _ @ + -, in lower case; perhaps taken by somebody else. */
  readonly login: string;
  readonly name: string;
  readonly email: string | null;
  /** The provider says that it is theirs. */
  readonly isEmailVerified: boolean;
  readonly groups: readonly string[];
}

const MOST_GROUPS = 200;
const GROUP_CHARACTERS = 200;
/** As OpenID Connect says. */
const SUBJECT_CHARACTERS = 255;
/** Control characters, and those that turn the direction of what follows: a name would pretend to be another. */
const NOT_SHOWN = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Reads claims, which are whatever a provider makes of them. Throws PROVIDER_INVALID where nobody could be known again by
 * their subject.
 *
 * @param groupsClaim its name, or a path with dots (`realm_access.roles`)
 */
export function profileOf(
  claims: Readonly<Record<string, unknown>> & { readonly sub: string },
  issuer: string,
  groupsClaim: string,
): Profile {
  const text = (name: string, most: number): string | null => {
    const value = claims[name];
    if (typeof value !== 'string') return null;
    const shown = value.replace(NOT_SHOWN, '').trim().slice(0, most).toWellFormed();
    return shown === '' ? null : shown;
  };
  const { sub } = claims;
  // Cut or mended, it would be that of somebody else.
  if (sub.length > SUBJECT_CHARACTERS || !isPlain(sub))
    throw new Fault(
      'PROVIDER_INVALID',
      `the provider ${issuer} names a subject that is longer than ${SUBJECT_CHARACTERS} characters, or has control characters`,
    );
  const email = text('email', 320);
  const login = text('preferred_username', 100) ?? email ?? sub;
  return {
    issuer,
    subject: sub,
    login: loginOf(login),
    name: text('name', 200) ?? login.slice(0, 200),
    email: email !== null && /^[^@\s]+@[^@\s]+$/.test(email) ? email : null,
    isEmailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    groups: groupsIn(claims, groupsClaim),
  };
}

const isPlain = (text: string): boolean => text.isWellFormed() && text.search(NOT_SHOWN) === -1;

function loginOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._@+-]/g, '')
    .replace(/^[^A-Za-z0-9]+/, '')
    .toLowerCase()
    .slice(0, 90);
  return plain === '' ? 'user' : plain;
}

function groupsIn(claims: Readonly<Record<string, unknown>>, path: string): string[] {
  // A claim may have dots in its own name, as URLs have.
  const found =
    claims[path] ?? path.split('.').reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), claims);
  const list = typeof found === 'string' ? [found] : Array.isArray(found) ? found : [];
  const names = list.filter(
    (one): one is string => typeof one === 'string' && one !== '' && one.length <= GROUP_CHARACTERS && isPlain(one),
  );
  return [...new Set(names)].sort().slice(0, MOST_GROUPS);
}

/** True where somebody of these domains may come in; an e-mail that nobody verified says nothing. */
export const isOfDomain = ({ email, isEmailVerified }: Profile, domains: readonly string[]): boolean =>
  domains.length === 0 ||
  (isEmailVerified && email !== null && domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase()));
