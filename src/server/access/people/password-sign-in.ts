import type { Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { groupOf } from '../../../lib/address-group.ts';
import type { Attempts } from '../attempts.ts';
import type { Access, PersonIdentity, Presenter, SignedIn } from '../port.ts';
import { secretDigest } from '../secrets.ts';
import type { WriteHandle } from '../../store/port.ts';
import type { Passwords } from './passwords.ts';
import type { createUsers, UserRow } from './users.ts';

/** Who that is, by their password, which may be a one-time password. Throws as signing in does. */
export type ProvePassword = (input: { login: string; password: string }, from: Presenter) => Promise<UserRow>;

/**
 * Signing in by name and password. Whether nobody has that name, or the password is wrong, takes the same time and gives
 * the same answer. A right password waits too while a back-off runs, else guessing would cost nothing. Back-offs are of an
 * address, and of a name at an address, never of a name alone: nobody keeps somebody out by guessing from elsewhere. What
 * many addresses get wrong is slowed down by the queue of checks, in which those come first who were not wrong before.
 */
export function createPasswordSignIn({
  clock,
  passwords,
  people,
  attempts,
  sessions,
}: {
  clock: Clock;
  passwords: Passwords;
  people: ReturnType<typeof createUsers>;
  attempts: Attempts;
  sessions: {
    isKnown(userId: string, address: string | null): boolean;
    signInUser(
      person: PersonIdentity,
      by: string,
      from: { address: string | null; client: string | null },
      also: (db: WriteHandle) => void,
    ): SignedIn;
  };
}): { signIn: Access['signInByPassword']; prove: ProvePassword } {
  /** Addresses of which a password is being checked: who sends many at once does not take the places of others. */
  const checking = new Set<string>();
  const prove: ProvePassword = async ({ login, password }, { address }) => {
    // Passwords are no random secrets: a program on this machine guesses as slowly as any other.
    const from = { address, isLocal: false };
    const user = people.byLogin(login);
    const name = secretDigest(`login ${login.toLowerCase()} ${groupOf(address)}`);
    attempts.check(from, name);
    const place = groupOf(address);
    const turn =
      user && sessions.isKnown(user.id, address)
        ? 'known'
        : attempts.hasFailed(from) || checking.has(place)
          ? 'failed'
          : 'new';

    const kept = user && user.disabled_at === null ? user.password : null;
    const isFirst = !checking.has(place);
    checking.add(place);
    let isRight: boolean;
    try {
      isRight = await passwords.verify(password, kept, turn);
    } finally {
      if (isFirst) checking.delete(place);
    }
    // As it is now: it may have changed while it was checked.
    const now = user && people.find(user.id);
    if (!isRight || !now || now.disabled_at !== null || now.password !== kept) {
      attempts.wrong(from, name, 'session.refused');
      throw new Fault('PASSWORD_INVALID', 'the sign-in name or the password is wrong');
    }
    if (now.password_until !== null && clock.now() >= now.password_until)
      throw new Fault('PASSWORD_INVALID', 'the one-time password has expired: ask an administrator for another');
    return now;
  };

  const signIn: Access['signInByPassword'] = async ({ login, password, newPassword }, { address, client, isLocal }) => {
    const now = await prove({ login, password }, { address, isLocal });
    if (now.password_until !== null) {
      if (newPassword === undefined)
        throw new Fault('PASSWORD_CHANGE_NEEDED', 'this is a one-time password: choose one of your own');
      // Whoever made the one-time password has said what becomes of tokens.
      const self = { name: now.login, role: null, address };
      await people.setOwn(now, newPassword, self, { keepSession: null, alsoTokens: false });
    } else if (now.password !== null && passwords.isOutdated(now.password)) await people.renewHash(now, password);

    const person = people.identityOf(now.id);
    if (!person) throw new Fault('PASSWORD_INVALID', 'the sign-in name or the password is wrong');
    return sessions.signInUser(person, 'password', { address, client }, (db) =>
      people.touch(db, now.id, { last_sign_in_at: clock.now() }),
    );
  };
  return { signIn, prove };
}
