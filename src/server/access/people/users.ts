import type { Limits } from '../../../contract/limits.ts';
import type { PersonRole, User, UserKind } from '../../../contract/users.ts';
import { iso, isoOrNull, type Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseStored } from '../../../lib/json.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import type { Store, WriteHandle } from '../../store/port.ts';
import { putRow, readPage } from '../../store/rows.ts';
import type { Actor } from '../../workflows/port.ts';
import type { Access, Grant, PersonIdentity } from '../port.ts';
import { roleEverywhere } from '../../../lib/role-everywhere.ts';
import type { Passwords } from './passwords.ts';
import type { Users } from './port.ts';
import { createProviderPeople, refuseNotOfProvider } from './provider-people.ts';
import { refuseReservedName } from './reserved-names.ts';

export interface UserRow {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly email: string | null;
  readonly kind: UserKind;
  readonly source: 'local' | 'oidc';
  readonly issuer: string | null;
  readonly subject: string | null;
  /** JSON array of names. */
  readonly groups: string;
  readonly password: string | null;
  readonly password_until: number | null;
  readonly disabled_at: number | null;
  readonly created_at: number;
  readonly created_by: string;
  readonly last_sign_in_at: number | null;
  readonly confirmed_at: number | null;
}

/** Who there is. All are in memory: asking who somebody is, for each request of theirs, never touches the disk. */
export function createUsers({
  store,
  clock,
  limits,
  passwords,
  record,
  grantsOf,
  grant,
  endSessions,
  endTokens,
  endGrants,
  removePasskeys,
  onLapsed,
}: {
  store: Store;
  clock: Clock;
  limits: Readonly<Pick<Limits, 'users' | 'oneTimePasswordHours' | 'oidcTokenHours'>>;
  passwords: Passwords;
  record: Access['audit']['record'];
  grantsOf: Access['grants']['of'];
  /** Lets somebody have a role everywhere. */
  grant(userId: string, role: PersonRole, actor: Actor): Promise<void>;
  /** Inside the transaction; what is returned is called once it is committed. */
  endSessions(db: WriteHandle, userId: string, except: string | null): () => void;
  endTokens(db: WriteHandle, userId: string): () => void;
  endGrants(db: WriteHandle, userId: string): () => void;
  removePasskeys(db: WriteHandle, userId: string): void;
  /** Their tokens rest. */
  onLapsed(): void;
}) {
  const byId = new Map<string, UserRow>();
  const byLogin = new Map<string, UserRow>();
  const groupsOf = new WeakMap<UserRow, string[]>();
  for (const row of store.read.query<UserRow>('SELECT * FROM user').iterate()) remember(row);

  function remember(row: UserRow): void {
    byId.set(row.id, row);
    byLogin.set(row.login, row);
  }
  const known = (id: string): UserRow => {
    const row = byId.get(id);
    if (!row) throw new Fault('USER_NOT_FOUND', `there is no person or service account ${id}`);
    return row;
  };
  function groups(row: UserRow): string[] {
    const parsed = groupsOf.get(row) ?? parseStored<string[]>(row.groups);
    groupsOf.set(row, parsed);
    return parsed;
  }
  const held = (row: UserRow) => grantsOf({ userId: row.id, groups: groups(row) });
  const view = (row: UserRow): User => {
    const grants = held(row);
    return {
      ...{ id: row.id, login: row.login, name: row.name, kind: row.kind, source: row.source },
      ...{ role: roleOf(grants), hasGrants: grants.length > 0 },
      ...{ email: row.email, groups: groups(row), mustChangePassword: row.password_until !== null },
      ...{ disabledAt: isoOrNull(row.disabled_at), createdAt: iso(row.created_at), createdBy: row.created_by },
      lastSignInAt: isoOrNull(row.last_sign_in_at),
    };
  };
  /** As the audit log shows them: without what may change by itself. */
  const noted = (row: UserRow) => {
    const { id, login, name, email, kind, source, groups, disabledAt } = view(row);
    return { id, login, name, email, kind, source, groups, disabledAt };
  };

  /** Changes one row and its entry of the audit log; `also` runs in the same transaction. */
  const storedIn = (db: WriteHandle, id: string): UserRow | null =>
    db.query<UserRow>('SELECT * FROM user WHERE id = ?').get(id) ?? null;

  async function change(
    id: string,
    values: Partial<UserRow>,
    note: { action: string; actor: Actor; after?: object },
    also: (db: WriteHandle) => (() => void)[] = () => [],
    /** Throws where what the change was decided by is no longer so. */
    still: (now: UserRow | null) => void = () => {},
  ): Promise<UserRow> {
    const before = known(id);
    const after: UserRow = { ...before, ...values };
    const names = Object.keys(values);
    const ends = await store.write((db) => {
      still(storedIn(db, id));
      if (names.length > 0)
        db.statement(`UPDATE user SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`).run(
          ...Object.values(values),
          id,
        );
      const { action, actor } = note;
      record(db, actor, {
        action,
        target: `user:${id}`,
        before: noted(before),
        after: { ...noted(after), ...note.after },
      });
      return also(db);
    });
    remember({ ...known(id), ...values });
    for (const end of ends) end();
    // What hangs on a connection may no longer be theirs.
    if (values.groups !== undefined) onLapsed();
    return known(id);
  }

  function madeOneTime(): { text: string; until: number } {
    return { text: passwords.oneTime(), until: clock.now() + limits.oneTimePasswordHours * 3_600_000 };
  }

  /** Makes somebody who was not there. Throws USER_EXISTS, TOO_MANY_USERS. */
  async function insert(row: UserRow, actor: Actor, role: PersonRole | null): Promise<void> {
    if (byId.size >= limits.users)
      throw new Fault(
        'TOO_MANY_USERS',
        `there are ${byId.size} people and service accounts, as many as \`users\` allows`,
      );
    const isNew = await store.write((db) => {
      if (db.query('SELECT 1 FROM user WHERE login = ?').get(row.login) !== undefined) return false;
      putRow(db, 'user', { ...row });
      record(db, actor, { action: 'user.create', target: `user:${row.id}`, before: null, after: noted(row) });
      return true;
    });
    if (!isNew) throw new Fault('USER_EXISTS', `the sign-in name ${row.login} is already used`);
    remember(row);
    if (role !== null) await grant(row.id, role, actor);
  }

  const users: Users = {
    get hasPasswords() {
      return [...byId.values()].some(({ password }) => password !== null);
    },
    list: (wanted) => readPage<UserRow, User>(store.read, { from: 'user', order: 'id DESC' }, wanted, view),
    get: (id) => view(known(id)),
    loginOf: (id) => byId.get(id)?.login ?? null,
    isNamed({ actor, userId }, name, savedAt) {
      if (userId === null) return name === actor && !byLogin.has(name.toLowerCase());
      const row = byId.get(userId);
      return row !== undefined && (name === row.id || (name === row.login && row.created_at <= savedAt));
    },

    async create(
      { login: given, name, email, kind = 'person', source = 'local', groups: named = [], role, password },
      actor,
    ) {
      const login = given.toLowerCase();
      refuseReservedName(login, '/login');
      if (name !== undefined) refuseReservedName(name, '/name');
      if (source === 'oidc') refuseNotOfProvider({ kind, email, password });
      if (kind === 'service' && password !== undefined)
        throw new Fault('VALIDATION_FAILED', 'a service account has no password, but tokens', {
          errors: [{ pointer: '/password', message: 'only of a person' }],
        });
      if (byLogin.has(login)) throw new Fault('USER_EXISTS', `the sign-in name ${login} is already used`);
      const oneTime = kind === 'person' && source === 'local' && password === undefined ? madeOneTime() : null;
      const text = password ?? oneTime?.text;
      const row: UserRow = {
        ...{ id: uuidv7(clock.now()), login, name: name ?? given, email: email ?? null, kind },
        ...{ source, issuer: null, subject: null, groups: JSON.stringify([...new Set(named)]) },
        password: text === undefined ? null : await passwords.hash(text, { login }),
        password_until: oneTime?.until ?? null,
        ...{ disabled_at: null, created_at: clock.now(), created_by: actor.name },
        ...{ last_sign_in_at: null, confirmed_at: null },
      };
      await insert(row, actor, role ?? null);
      return { ...view(row), ...(oneTime && { password: oneTime.text, passwordExpiresAt: iso(oneTime.until) }) };
    },

    async update(id, patch, actor) {
      const row = known(id);
      if (patch.name !== undefined) refuseReservedName(patch.name, '/name');
      const isEnding = patch.disabled === true && row.disabled_at === null;
      const isEnabling = patch.disabled === false && row.disabled_at !== null;
      const changed = await change(
        id,
        {
          ...(patch.name !== undefined && { name: patch.name }),
          ...(patch.email !== undefined && { email: patch.email }),
          ...(patch.groups !== undefined && { groups: JSON.stringify([...new Set(patch.groups)]) }),
          ...(isEnding && { disabled_at: clock.now() }),
          ...(isEnabling && { disabled_at: null }),
        },
        { action: isEnding ? 'user.disable' : isEnabling ? 'user.enable' : 'user.update', actor },
        (db) => (isEnding ? [endSessions(db, id, null), endTokens(db, id)] : []),
      );
      return view(changed);
    },

    async remove(id, actor) {
      const row = known(id);
      const ends = await store.write((db) => {
        const ended = [endSessions(db, id, null), endTokens(db, id), endGrants(db, id)];
        db.statement('DELETE FROM token WHERE user_id = ?').run(id);
        removePasskeys(db, id);
        db.statement('DELETE FROM user WHERE id = ?').run(id);
        // Who made them decides what those may approve whom they made themselves, for as long as that matters.
        const before = { ...noted(row), createdBy: row.created_by, createdAt: iso(row.created_at), grants: held(row) };
        record(db, actor, { action: 'user.delete', target: `user:${id}`, before, after: null });
        return ended;
      });
      byId.delete(id);
      byLogin.delete(row.login);
      for (const end of ends) end();
      onLapsed();
    },

    async resetPassword(id, { keepTokens, keepPasskeys }, actor) {
      const { login } = refuseNoPassword(known(id));
      const { text, until } = madeOneTime();
      const password = await passwords.hash(text, { login });
      await change(
        id,
        { password, password_until: until },
        { action: 'user.reset-password', actor, after: { expiresAt: iso(until), keepTokens, keepPasskeys } },
        (db) => {
          if (!keepPasskeys) removePasskeys(db, id);
          return [endSessions(db, id, null), ...(keepTokens ? [] : [endTokens(db, id)])];
        },
      );
      return { password: text, expiresAt: iso(until) };
    },

    async changePassword(id, { password, newPassword, keepSession, endTokens: alsoTokens }, actor) {
      const row = refuseNoPassword(known(id));
      if (!(await passwords.verify(password, row.password)))
        throw new Fault('PASSWORD_INVALID', 'the present password is wrong');
      await setOwn(row, newPassword, actor, { keepSession, alsoTokens });
    },
  };

  async function setOwn(
    row: UserRow,
    text: string,
    actor: Actor,
    { keepSession, alsoTokens }: { keepSession: string | null; alsoTokens: boolean },
  ): Promise<void> {
    if (await passwords.verify(text, row.password))
      throw new Fault('PASSWORD_REFUSED', 'the new password is the old one: take another');
    const password = await passwords.hash(text, { login: row.login });
    await change(
      row.id,
      { password, password_until: null },
      { action: 'user.change-password', actor, after: { endTokens: alsoTokens } },
      (db) => [endSessions(db, row.id, keepSession), ...(alsoTokens ? [endTokens(db, row.id)] : [])],
      // Hashing takes a while, in which an administrator may have reset it.
      (now) => {
        if (now?.password !== row.password)
          throw new Fault('PASSWORD_INVALID', 'the present password was changed meanwhile');
      },
    );
  }

  return {
    users,
    setOwn,
    find: (id: string): UserRow | undefined => byId.get(id),
    /** What they come in with; null: unknown, or disabled. */
    identityOf(userId: string): PersonIdentity | null {
      const row = byId.get(userId);
      if (!row || row.disabled_at !== null) return null;
      const grants = held(row);
      return { actor: row.login, role: roleOf(grants), userId, grants };
    },
    insert,
    change,
    ...createProviderPeople(
      { clock, limits, people: () => byId.values(), find: (id) => byId.get(id), change, onLapsed },
      (id, values) => store.write((db) => set(db, id, values)),
    ),
    byLogin: (login: string): UserRow | undefined => byLogin.get(login.toLowerCase()),
    /** The same password, hashed with what the limits ask for today. */
    async renewHash(row: UserRow, text: string): Promise<void> {
      const password = await passwords.rehash(text);
      await store.write((db) => {
        if (storedIn(db, row.id)?.password === row.password) set(db, row.id, { password });
      });
    },
    /** That somebody was here: no entry of the audit log. */
    touch(db: WriteHandle, id: string, values: Partial<Pick<UserRow, 'last_sign_in_at' | 'confirmed_at'>>): void {
      set(db, id, values);
    },
  };

  function set(db: WriteHandle, id: string, values: Partial<UserRow>): void {
    const row = byId.get(id);
    if (row) remember({ ...row, ...values });
    for (const [name, value] of Object.entries(values))
      db.statement(`UPDATE user SET ${name} = ? WHERE id = ?`).run(value, id);
  }
}

/** Where every project is asked for; whoever has no role there has the lowest in name, and is let in by their grants. */
const roleOf = (grants: readonly Grant[]): PersonRole =>
  (roleEverywhere({ role: 'viewer', grants }) ?? 'viewer') as PersonRole;

/** Only people of this master have passwords. */
function refuseNoPassword(row: UserRow): UserRow {
  if (row.source !== 'local' || row.kind !== 'person')
    throw new Fault(
      'VALIDATION_FAILED',
      row.kind === 'service'
        ? `${row.login} is a service account: it has tokens and no password`
        : `${row.login} signs in at the provider: the password is changed there`,
    );
  return row;
}
