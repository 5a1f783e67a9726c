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

/**
 * Reads claims, which are whatever a provider makes of them.
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
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, most) : null;
  };
  const email = text('email', 320);
  const login = text('preferred_username', 100) ?? email ?? claims.sub;
  return {
    issuer,
    subject: claims.sub,
    login: loginOf(login),
    name: text('name', 200) ?? login.slice(0, 200),
    email: email !== null && /^[^@\s]+@[^@\s]+$/.test(email) ? email : null,
    isEmailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    groups: groupsIn(claims, groupsClaim),
  };
}

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
    (one): one is string => typeof one === 'string' && one !== '' && one.length <= GROUP_CHARACTERS,
  );
  return [...new Set(names)].sort().slice(0, MOST_GROUPS);
}

/** True where somebody of these domains may come in; an e-mail that nobody verified says nothing. */
export const isOfDomain = ({ email, isEmailVerified }: Profile, domains: readonly string[]): boolean =>
  domains.length === 0 ||
  (isEmailVerified && email !== null && domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase()));
