import type { OidcOptions } from '../../../contract/process.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { isReservedName } from '../people/reserved-names.ts';
import type { createUsers, UserRow } from '../people/users.ts';
import { isOfDomain, type Profile } from './profile.ts';

/**
 * Who here is the one that the provider tells of. They are known by the provider's own ID alone: a name or an address
 * may go to somebody else, except for the very first sign-in of somebody whom an administrator made by their address.
 * Name, address and groups follow the provider. Throws IDENTITY_REFUSED, TOO_MANY_USERS.
 */
export async function admitProfile(
  profile: Profile,
  {
    options,
    people,
    clock,
    address,
  }: {
    options: OidcOptions;
    people: Pick<ReturnType<typeof createUsers>, 'ofProvider' | 'change' | 'insert' | 'byLogin' | 'find' | 'confirmed'>;
    clock: Clock;
    address: string | null;
  },
): Promise<UserRow> {
  const { issuer, subject } = profile;
  if (!isOfDomain(profile, options.allowedDomains))
    throw new Fault(
      'IDENTITY_REFUSED',
      `${profile.email ?? profile.login} is not of ${options.allowedDomains.join(', ')} (--oidc-allowed-domains), or the provider has not verified the address`,
    );
  const known = people.ofProvider(issuer, subject, profile.isEmailVerified ? profile.email : null);
  const now = clock.now();
  const told = {
    // What the master itself is called, nobody else is.
    name: isReservedName(profile.name) ? (known?.login ?? freeLogin(profile.login, people)) : profile.name,
    email: profile.email,
    groups: JSON.stringify(profile.groups),
  };
  if (known) {
    if (known.disabled_at !== null) throw new Fault('IDENTITY_REFUSED', `${known.login} is disabled here`);
    const isSame =
      known.subject === subject &&
      known.name === told.name &&
      known.email === told.email &&
      known.groups === told.groups;
    if (!isSame)
      await people.change(
        known.id,
        { ...told, issuer, subject },
        { action: 'user.update', actor: { name: 'provider', role: null, address } },
      );
    await people.confirmed(known.id, now);
    return people.find(known.id) ?? known;
  }
  if (!options.createUsers)
    throw new Fault(
      'IDENTITY_REFUSED',
      `${profile.login} is not known here, and people are not made at their first sign-in (--oidc-known-only): an administrator makes them in Settings, People`,
    );
  const row: UserRow = {
    ...{ id: uuidv7(now), login: freeLogin(profile.login, people), ...told, kind: 'person', source: 'oidc' },
    ...{ issuer, subject, password: null, password_until: null, disabled_at: null },
    ...{ created_at: now, created_by: 'provider', last_sign_in_at: now, confirmed_at: now },
  };
  await people.insert(row, { name: 'provider', role: null, address }, null);
  return row;
}

/** A name that is taken already belongs to somebody else. */
function freeLogin(wanted: string, people: Pick<ReturnType<typeof createUsers>, 'byLogin'>): string {
  for (let n = 1; ; n++) {
    const login = n === 1 ? wanted : `${wanted}-${n}`;
    if (!isReservedName(login) && people.byLogin(login) === undefined) return login;
  }
}
