import type { PasskeyAssertion, PasskeyRegistration } from '../../../contract/passkeys.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import type { Store } from '../../store/port.ts';
import { putRow } from '../../store/rows.ts';
import type { Actor } from '../../workflows/port.ts';
import { groupOf } from '../../../lib/address-group.ts';
import type { Attempts, Presenter } from '../attempts.ts';
import type { Passwords } from '../people/passwords.ts';
import type { ProvePassword } from '../people/password-sign-in.ts';
import type { PasskeyPlace, Passkeys } from '../people/port.ts';
import type { createUsers, UserRow } from '../people/users.ts';
import type { Access, PersonIdentity } from '../port.ts';
import { secretDigest } from '../secrets.ts';
import type { createSessions } from '../sessions.ts';
import {
  assertionOptions,
  handleOf,
  invalid,
  type MadeCredential,
  registrationOptions,
  verifyAssertion,
  verifyRegistration,
} from './ceremony.ts';
import { type Begun, createChallenges } from './challenges.ts';
import { byCredential, credentialOf, notedOf, passkeyOf, passkeysOf, type PasskeyRow, viewOf } from './rows.ts';

/** What guessing at passkeys costs, and is told like a wrong password. */
const COUNTED = new Set(['PASSKEY_INVALID', 'PASSKEY_EXPIRED', 'PASSKEY_COPIED']);

/** Passkeys of people of this master. Nothing of them is in memory: a sign-in reads what it needs, behind any master. */
export function createPasskeys({
  store,
  clock,
  limits,
  passwords,
  people,
  attempts,
  sessions,
  prove,
  record,
}: {
  store: Store;
  clock: Clock;
  limits: Readonly<Pick<Limits, 'passkeysPerPerson' | 'passkeyMinutes'>>;
  passwords: Pick<Passwords, 'verify'>;
  people: Pick<ReturnType<typeof createUsers>, 'find' | 'identityOf' | 'touch' | 'change'>;
  attempts: Attempts;
  sessions: Pick<ReturnType<typeof createSessions>, 'signInUser' | 'endAllOfUser'>;
  prove: ProvePassword;
  record: Access['audit']['record'];
}): Passkeys {
  const challenges = createChallenges({ store, clock, minutes: () => limits.passkeyMinutes });

  /** Whatever is wrong counts for its address, as wrong passwords do. */
  async function guarded<T>({ address }: Presenter, run: () => Promise<T>): Promise<T> {
    const from = { address, isLocal: false };
    const name = secretDigest(`passkey ${groupOf(address)}`);
    attempts.check(from, name);
    try {
      return await run();
    } catch (error) {
      if (error instanceof Fault && COUNTED.has(error.code)) attempts.wrong(from, name, 'session.refused');
      throw error;
    }
  }

  /** Somebody of this master: only they have passkeys. Throws PASSKEY_REFUSED. */
  function localPerson(userId: string): UserRow {
    const row = people.find(userId);
    if (!row) throw new Fault('USER_NOT_FOUND', `there is no person ${userId}`);
    if (row.kind !== 'person' || row.source !== 'local')
      throw new Fault(
        'PASSKEY_REFUSED',
        row.kind === 'service'
          ? `${row.login} is a service account: it has tokens and no passkeys`
          : `${row.login} signs in at the provider: passkeys are kept there`,
      );
    return row;
  }

  function refuseMore(userId: string): void {
    const { length } = passkeysOf(store.read, userId);
    if (length >= limits.passkeysPerPerson)
      throw new Fault(
        'TOO_MANY_PASSKEYS',
        `there are ${length} passkeys of this person, as many as \`passkeysPerPerson\` allows: remove one first`,
      );
  }

  async function askToMake(user: UserRow, place: PasskeyPlace, purpose: 'first' | 'add', tie: string | null) {
    refuseMore(user.id);
    const { binding, ...asked } = await challenges.begin({ purpose, host: place.host, userId: user.id, tie });
    const options = await registrationOptions({
      ...asked,
      ...{ place, user, known: passkeysOf(store.read, user.id).filter(isAt(place)).map(credentialOf) },
    });
    return { options, binding };
  }

  /** Whose passkey answered. Throws PASSKEY_INVALID, PASSKEY_COPIED. */
  async function proven(
    response: PasskeyAssertion,
    place: PasskeyPlace,
    { challenge, userId }: Begun & { readonly challenge: string },
    by: Presenter,
  ): Promise<{ person: PersonIdentity }> {
    const row = byCredential(store.read, response.id);
    if (!row || row.host !== place.host || (userId !== null && row.user_id !== userId))
      throw invalid('it is not known, or was removed');
    const { userHandle } = response.response;
    const handle = Buffer.from(handleOf(row.user_id)).toString('base64url');
    // Who was not asked for by name has to be named by the authenticator.
    if (userHandle === undefined ? userId === null : userHandle !== handle) throw invalid('it is of somebody else');
    const counter = await verifyAssertion(response, { place, challenge }, row);
    const person = people.identityOf(row.user_id);
    if (!person) throw invalid('the account is disabled');
    await count(row, counter, person, by);
    return { person };
  }

  /** An authenticator that counts, and is behind: there are two of it, and nobody knows which is whose. */
  async function count(row: PasskeyRow, counter: number, person: PersonIdentity, by: Presenter): Promise<void> {
    const { outcome, end } = await store.write((db) => {
      const now = passkeyOf(db, row.user_id, row.id);
      if (!now) return { outcome: 'gone' as const };
      if (now.copied_at !== null) return { outcome: 'copied' as const };
      if (counter > 0 || now.counter > 0 ? counter > now.counter : true) {
        db.statement('UPDATE passkey SET counter = ?, last_used_at = ? WHERE id = ?').run(counter, clock.now(), row.id);
        return { outcome: 'fits' as const };
      }
      db.statement('UPDATE passkey SET copied_at = ? WHERE id = ?').run(clock.now(), row.id);
      record(
        db,
        { name: person.actor, role: null, address: by.address },
        {
          action: 'passkey.copied',
          target: `user:${row.user_id}`,
          before: { ...notedOf(now), counter: now.counter },
          after: { counter },
        },
      );
      return { outcome: 'copied' as const, end: sessions.endAllOfUser(db, row.user_id, null) };
    });
    end?.();
    if (outcome === 'gone') throw invalid('it is not known, or was removed');
    if (outcome === 'copied')
      throw new Fault(
        'PASSKEY_COPIED',
        `the counter of the passkey “${row.name}” went back: a copy of it was used, so it opens nothing any longer. Sign in another way, or ask an administrator, remove it, and look at the audit log`,
      );
  }

  const rowOf = (made: MadeCredential, user: UserRow, place: PasskeyPlace, name: string): PasskeyRow => ({
    ...{ id: uuidv7(clock.now()), user_id: user.id, credential_id: made.credentialId },
    ...{ public_key: made.publicKey, host: place.host, name, counter: made.counter },
    ...{ transports: JSON.stringify(made.transports), synced: made.synced ? 1 : 0 },
    ...{ created_at: clock.now(), last_used_at: null, copied_at: null },
  });

  async function madeAt(
    response: PasskeyRegistration,
    name: string,
    { user, place, challenge }: { user: UserRow; place: PasskeyPlace; challenge: string },
  ): Promise<PasskeyRow> {
    const row = rowOf(await verifyRegistration(response, { place, challenge }), user, place, name);
    if (byCredential(store.read, row.credential_id)) throw exists();
    refuseMore(user.id);
    return row;
  }

  function found(db: Parameters<typeof passkeyOf>[0], userId: string, id: string): PasskeyRow {
    const row = passkeyOf(db, userId, id);
    if (!row) throw new Fault('PASSKEY_NOT_FOUND', `there is no passkey ${id} of this person`);
    return row;
  }

  return {
    get any() {
      return store.read.query('SELECT 1 FROM passkey LIMIT 1').get() !== undefined;
    },
    isAt: (host) => store.read.query('SELECT 1 FROM passkey WHERE host = ? LIMIT 1').get(host) !== undefined,
    most: () => limits.passkeysPerPerson,
    list: (userId) => passkeysOf(store.read, userId).map(viewOf),
    hasPassword: (userId) => (people.find(userId)?.password ?? null) !== null,

    async beginSignIn(place) {
      const { binding, ...asked } = await challenges.begin({
        ...{ purpose: 'sign-in', host: place.host, userId: null, tie: null },
      });
      return { options: await assertionOptions({ ...asked, place, known: null }), binding };
    },

    signIn: ({ response, binding, place }, from) =>
      guarded(from, async () => {
        const begun = await challenges.take(
          binding,
          ({ purpose, host }) => purpose === 'sign-in' && host === place.host,
        );
        const { person } = await proven(response, place, begun, from);
        return sessions.signInUser(person, 'passkey', from, (db) =>
          people.touch(db, person.userId, { last_sign_in_at: clock.now() }),
        );
      }),

    async beginFirst(input, place, from) {
      const user = await prove(input, from);
      if (user.password_until === null || user.password === null)
        throw new Fault(
          'PASSKEY_REFUSED',
          'this is no one-time password: sign in with it, and add a passkey in Settings, My account',
        );
      return askToMake(localPerson(user.id), place, 'first', secretDigest(user.password));
    },

    finishFirst: ({ response, name, binding, place }, from) =>
      guarded(from, async () => {
        // As it is now: it may have been reset, changed or disabled meanwhile, or have expired.
        const stillFits = (
          { userId, tie }: Begun,
          user: UserRow | null = userId === null ? null : (people.find(userId) ?? null),
        ): UserRow | null => {
          const { password = null, password_until: until = null } = user ?? {};
          return user &&
            user.disabled_at === null &&
            password !== null &&
            secretDigest(password) === tie &&
            until !== null &&
            until > clock.now()
            ? user
            : null;
        };
        const changed = () => invalid('the one-time password was changed meanwhile');
        const begun = await challenges.take(
          binding,
          (one) => one.purpose === 'first' && one.host === place.host && stillFits(one) !== null,
        );
        const { challenge } = begun;
        const before = people.find(begun.userId ?? '') as UserRow;
        const row = await madeAt(response, name, { user: before, place, challenge });
        const user = stillFits(begun);
        const self: Actor = { name: before.login, role: null, address: from.address };
        if (!user) throw changed();
        await people.change(
          user.id,
          { password: null, password_until: null },
          { action: 'passkey.add', actor: self, after: { ...notedOf(row), inPlaceOf: 'one-time password' } },
          (db) => {
            putRow(db, 'passkey', { ...row });
            return [sessions.endAllOfUser(db, user.id, null)];
          },
          // Of two who come at once with the same password, or of one and a reset, only the first is let in.
          (now) => {
            if (!stillFits(begun, now)) throw changed();
          },
        );
        const person = people.identityOf(user.id);
        if (!person) throw invalid('the account is disabled');
        return sessions.signInUser(person, 'passkey', from, (db) =>
          people.touch(db, user.id, { last_sign_in_at: clock.now() }),
        );
      }),

    async beginConfirm({ userId, sessionId }, place) {
      const known = passkeysOf(store.read, userId).filter((row) => isAt(place)(row) && row.copied_at === null);
      if (known.length === 0) throw new Fault('PASSKEY_NOT_FOUND', `you have no passkey for ${place.host}`);
      const { binding, ...asked } = await challenges.begin({
        ...{ purpose: 'confirm', host: place.host, userId, tie: sessionId },
      });
      return { options: await assertionOptions({ ...asked, place, known: known.map(credentialOf) }), binding };
    },

    async beginAdd({ userId, sessionId }, proof, place, from) {
      const user = localPerson(userId);
      if ('password' in proof) {
        const whose = secretDigest(`password ${userId}`);
        const presenter = { ...from, isLocal: false };
        attempts.check(presenter, whose);
        const isRight = await passwords.verify(proof.password, user.password_until === null ? user.password : null);
        if (!isRight) {
          attempts.wrong(presenter, whose, 'session.refused');
          throw new Fault('PASSWORD_INVALID', 'the present password is wrong');
        }
      } else
        await guarded(from, async () => {
          const begun = await challenges.take(proof.binding, isOf('confirm', place, userId, sessionId));
          await proven(proof.passkey, place, begun, from);
        });
      return askToMake(user, place, 'add', sessionId);
    },

    add: ({ userId, sessionId }, { response, name, binding, place }, actor, from) =>
      guarded(from, async () => {
        const user = localPerson(userId);
        const { challenge } = await challenges.take(binding, isOf('add', place, userId, sessionId));
        const row = await madeAt(response, name, { user, place, challenge });
        const outcome = await store.write((db) => {
          // A reset ends the session and removes passkeys: none comes after it.
          const now = db.query<UserRow>('SELECT * FROM user WHERE id = ?').get(userId);
          if (now?.password !== user.password || now?.disabled_at !== null) return 'changed';
          if (byCredential(db, row.credential_id)) return 'exists';
          if (passkeysOf(db, userId).length >= limits.passkeysPerPerson) return 'many';
          putRow(db, 'passkey', { ...row });
          record(db, actor, { action: 'passkey.add', target: `user:${userId}`, before: null, after: notedOf(row) });
          return 'made';
        });
        if (outcome === 'changed') throw invalid('the account was changed meanwhile');
        if (outcome === 'exists') throw exists();
        if (outcome === 'many') refuseMore(userId);
        return viewOf(row);
      }),

    async rename(userId, id, name, actor) {
      const before = found(store.read, userId, id);
      await store.write((db) => {
        db.statement('UPDATE passkey SET name = ? WHERE id = ? AND user_id = ?').run(name, id, userId);
        record(db, actor, {
          ...{ action: 'passkey.rename', target: `user:${userId}` },
          ...{ before: notedOf(before), after: notedOf({ ...before, name }) },
        });
      });
      return viewOf(found(store.read, userId, id));
    },

    async remove(userId, id, { keepSession, isOwn }, actor) {
      found(store.read, userId, id);
      const isOnly = () => people.find(userId)?.password === null;
      const result = await store.write((db) => {
        const all = passkeysOf(db, userId);
        const row = all.find((one) => one.id === id);
        if (!row) return null;
        if (isOwn && all.length === 1 && isOnly()) return 'last';
        db.statement('DELETE FROM passkey WHERE id = ?').run(id);
        record(db, actor, {
          ...{ action: 'passkey.remove', target: `user:${userId}` },
          ...{ before: notedOf(row), after: null },
        });
        return sessions.endAllOfUser(db, userId, keepSession);
      });
      if (result === 'last')
        throw new Fault(
          'LAST_WAY_IN',
          'this passkey is your only way in: add another one first, or ask an administrator for a one-time password',
        );
      result?.();
    },
  };
}

const isAt =
  ({ host }: PasskeyPlace) =>
  (row: PasskeyRow): boolean =>
    row.host === host;

const isOf =
  (purpose: Begun['purpose'], { host }: PasskeyPlace, userId: string, tie: string) =>
  (begun: Begun): boolean =>
    begun.purpose === purpose && begun.host === host && begun.userId === userId && begun.tie === tie;

const exists = () => new Fault('PASSKEY_EXISTS', 'this passkey is known already: take another authenticator');
