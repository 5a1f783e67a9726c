import type { Command } from 'commander';
import { PERSON_ROLES, USER_KINDS, type PersonRole, type User, type UserKind } from '../../contract/users.ts';
import { Fault } from '../../lib/fault.ts';
import type { MasterApi } from '../api-client.ts';
import { apiCommand, paging, type PageFlags, type Session } from '../api-command.ts';
import { list, option } from '../options.ts';
import type { ProcessIo } from '../process-io.ts';
import { pageLine, pluralize, table } from '../text-table.ts';

interface CreateFlags {
  name?: string;
  email?: string;
  kind?: UserKind;
  group?: string[];
  role?: PersonRole;
}

/** `yardmaster users …`: people and service accounts. */
export function usersCommands(root: Command, io: ProcessIo): void {
  const group = root.command('users').description('people and service accounts');
  const find = apiCommand(
    group,
    io,
    'list',
    'list people and service accounts',
    async (session, { page, size }: PageFlags) => {
      const found = await session.api.call('users.list', { query: { page, size } });
      session.show(found, () => [
        ...table(
          ['id', 'sign-in name', 'name', 'kind', 'role everywhere', 'groups', 'state'],
          found.items.map((user) => [
            user.id,
            user.login,
            user.name,
            user.kind,
            user.hasGrants ? user.role : 'no access yet',
            user.groups.join(' '),
            stateOf(user),
          ]),
          'no people',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(find, io);
  const create = apiCommand(
    group,
    io,
    'create <login>',
    'create a person, with a one-time password, or a service account',
    async (session, { name, email, kind, group: groups, role }: CreateFlags, login) => {
      const user = await session.api.call('users.create', {
        body: {
          login,
          ...(name === undefined ? {} : { name }),
          ...(email === undefined ? {} : { email }),
          ...(kind === undefined ? {} : { kind }),
          ...(groups === undefined ? {} : { groups }),
          ...(role === undefined ? {} : { role }),
        },
      });
      session.show(user, () => [user.password ?? user.id]);
      if (!session.json && user.password !== undefined)
        io.err(`user ${user.id}; the one-time password holds until ${user.passwordExpiresAt}, and is not shown again`);
    },
  );
  option(create, io, '--name <name>', 'full name (default: the sign-in name)');
  option(create, io, '--email <address>', 'where to reach them');
  option(create, io, '--kind <kind>', 'a person signs in, a service account has tokens', { choices: USER_KINDS });
  option(create, io, '--group <name...>', 'groups, which may have grants', { parse: list });
  option(create, io, '--role <role>', 'what they may do everywhere (default: nothing, until `grants add`)', {
    choices: PERSON_ROLES,
  });
  apiCommand(
    group,
    io,
    'reset-password <user>',
    'print a one-time password; ends their sessions and tokens',
    async (session, _flags, who) => {
      const { id } = await userOf(session.api, who);
      const made = await session.api.call('users.resetPassword', { params: { id } });
      session.show(made, () => [made.password]);
      if (!session.json) io.err(`it holds until ${made.expiresAt}, and is not shown again`);
    },
  );
  const disable = apiCommand(
    group,
    io,
    'disable <user>',
    'end all sessions and tokens of an account, and keep it out',
    async (session, { revokeLeft = false }: { revokeLeft?: boolean }, who) => {
      const { id } = await userOf(session.api, who);
      const user = await session.api.call('users.update', { params: { id }, body: { disabled: true } });
      if (revokeLeft) return revoke(session, id);
      const { keys, tokens } = await session.api.call('users.left', { params: { id } });
      session.show({ ...user, left: { keys, tokens } }, () => [
        `disabled ${user.login}`,
        ...leftLines(keys, tokens, id),
      ]);
    },
  );
  option(disable, io, '--revoke-left', 'also revoke the API keys and worker tokens that they made');
  apiCommand(group, io, 'enable <user>', 'let an account in again', async (session, _flags, who) => {
    const { id } = await userOf(session.api, who);
    const user = await session.api.call('users.update', { params: { id }, body: { disabled: false } });
    session.show(user, () => [`enabled ${user.login}`]);
  });
  const remove = apiCommand(
    group,
    io,
    'delete <user>',
    'delete an account for good, with its sessions, tokens and roles; the audit log keeps its name',
    async (session, { revokeLeft = false }: { revokeLeft?: boolean }, who) => {
      const { id, login, source } = await userOf(session.api, who);
      // Afterwards nobody can ask for them by the account.
      const made = await session.api.call('users.left', { params: { id } });
      const ended = revokeLeft ? await session.api.call('users.revokeLeft', { params: { id } }) : null;
      await session.api.call('users.delete', { params: { id } });
      session.show({ id, login, deleted: true, ...(ended ? { revoked: ended } : { left: made }) }, () => [
        `deleted ${login}`,
        ...(source === 'oidc'
          ? [
              'while the sign-in provider lets them in, their next sign-in makes a new account with the roles of their groups: disable that one to keep them out, or start the master with --oidc-known-only',
            ]
          : []),
        ...(ended
          ? [revokedLine(ended)]
          : leftTable(
              made.keys,
              made.tokens,
              'these go on: revoke them with `yardmaster keys` and `yardmaster tokens`',
            )),
      ]);
    },
  );
  option(remove, io, '--revoke-left', 'also revoke the API keys and worker tokens that they made');
  const left = apiCommand(
    group,
    io,
    'left <user>',
    'API keys and worker tokens that an account made, which outlive it',
    async (session, { revoke: isMeant = false }: { revoke?: boolean }, who) => {
      const { id } = await userOf(session.api, who);
      if (isMeant) return revoke(session, id);
      const found = await session.api.call('users.left', { params: { id } });
      session.show(found, () => leftLines(found.keys, found.tokens, id));
    },
  );
  option(left, io, '--revoke', 'revoke all of them');
  const passkeys = apiCommand(
    group,
    io,
    'passkeys <user>',
    'passkeys of a person',
    async (session, { remove }: { remove?: string }, who) => {
      const { id, login } = await userOf(session.api, who);
      if (remove !== undefined) {
        await session.api.call('passkeys.removeOf', { params: { id, passkeyId: remove } });
        return session.show({ removed: remove }, () => [`removed; all sessions of ${login} have ended`]);
      }
      const found = await session.api.call('passkeys.listOf', { params: { id } });
      session.show(found, () =>
        table(
          ['id', 'name', 'for', 'created', 'last used', 'state'],
          found.items.map((one) => [
            ...[one.id, one.name, one.host, one.createdAt, one.lastUsedAt ?? 'never'],
            one.copiedAt === null ? 'active' : `copied, refused since ${one.copiedAt}`,
          ]),
          'no passkeys',
        ),
      );
    },
  );
  option(passkeys, io, '--remove <passkey>', 'remove the one with this ID; ends all sessions of the person');
  group.addHelpText('after', '\n<user>: the sign-in name or the ID.');
}

const stateOf = ({ disabledAt, mustChangePassword }: User): string =>
  disabledAt !== null ? 'disabled' : mustChangePassword ? 'one-time password' : 'active';

const PAGE = 500;

/** By sign-in name or ID. */
async function userOf(api: MasterApi, who: string): Promise<User> {
  for (let page = 0; ; page++) {
    const { items, totalPages } = await api.call('users.list', { query: { page, size: PAGE } });
    const found = items.find(({ id, login }) => id === who || login === who.toLowerCase());
    if (found) return found;
    if (page + 1 >= totalPages)
      throw new Fault('USER_NOT_FOUND', `there is no person or service account ${who.slice(0, 100)}`);
  }
}

async function revoke(session: Session, id: string): Promise<void> {
  const done = await session.api.call('users.revokeLeft', { params: { id } });
  session.show(done, () => [revokedLine(done)]);
}

const revokedLine = ({ keys, tokens }: { readonly keys: number; readonly tokens: number }): string =>
  `revoked ${pluralize(keys, 'API key')} and ${pluralize(tokens, 'token')}`;

interface Named {
  readonly id: string;
  readonly name: string;
}
const leftLines = (keys: readonly Named[], tokens: readonly Named[], id: string): string[] =>
  leftTable(keys, tokens, `these go on: rotate or revoke them, or all with \`yardmaster users left ${id} --revoke\``);

function leftTable(keys: readonly Named[], tokens: readonly Named[], hint: string): string[] {
  if (keys.length + tokens.length === 0) return ['nothing that they made goes on'];
  return [
    ...table(
      ['kind', 'id', 'name'],
      [...keys.map((one) => ['API key', one.id, one.name]), ...tokens.map((one) => ['token', one.id, one.name])],
      '',
    ),
    hint,
  ];
}
