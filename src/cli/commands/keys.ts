import { InvalidArgumentError, type Command } from 'commander';
import type { Page } from '../../contract/shapes.ts';
import { type Environment, type Role, ROLES } from '../../contract/vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import type { MasterApi } from '../api-client.ts';
import { apiCommand, paging, type PageFlags } from '../api-command.ts';
import type { ProcessIo } from '../process-io.ts';
import { projectColumn } from './project-column.ts';
import { limitCommand, limitOptions, limitsChange, type LimitFlags } from './rate-limit.ts';
import { MS, list, option } from '../options.ts';
import { labels } from './worker.ts';
import { pageLine, table } from '../text-table.ts';

interface KeyFlags extends LimitFlags {
  name?: string;
  workflow?: string[];
  environment?: Environment[];
  expires?: string;
  project?: string;
}

interface TokenFlags {
  name?: string;
  role?: Role;
  expires?: string;
  environment?: Environment[];
  label?: string[];
}

/** `yardmaster keys …`: API keys, with which clients call published workflows. */
export function keysCommands(root: Command, io: ProcessIo): void {
  const group = root.command('keys').description('API keys of clients');
  const create = apiCommand(
    group,
    io,
    'create',
    'create a key; its secret is shown once',
    async (session, { name, workflow, environment, expires, project, ...flags }: KeyFlags) => {
      const limits = limitsChange(flags);
      if (name === undefined) throw new Fault('USAGE', 'specify a name: --name NAME');
      if (!workflow?.length || !environment?.length)
        throw new Fault('USAGE', "specify its scope: --workflow ID… ('*': all) --environment E… (dev, staging, prod)");
      const body = {
        name,
        workflows: workflow,
        environments: environment,
        ...(expires === undefined ? {} : { expiresAt: expires }),
        ...(limits === undefined ? {} : { limits }),
        ...(project === undefined ? {} : { project }),
      };
      const key = await session.api.call('keys.create', { body });
      session.show(key, () => [key.key]);
      if (!session.json) io.err(`key ${key.id}; save it now, it is not shown again`);
    },
  );
  option(create, io, '--name <name>', 'who or what uses it');
  option(create, io, '--workflow <id...>', "workflows that it may call ('*': all)", { parse: list });
  option(create, io, '--environment <name...>', 'environments that it may call', { parse: list });
  option(create, io, '--expires <time>', 'a time, or in 30d, 12h', { parse: future });
  option(create, io, '--project <id>', 'project whose workflows it may call (default: default)');
  limitOptions(create, io);
  limitCommand(group, io, 'keys', 'a key');
  listAndRevoke(
    group,
    io,
    'keys',
    (api, query) => api.call('keys.list', { query }),
    (api, id) => api.call('keys.revoke', { params: { id } }),
    ['id', 'name', 'prefix', 'workflows', 'environments', 'expires', 'state'],
    (key) => [
      key.id,
      key.name,
      key.prefix,
      key.workflows.join(' '),
      key.environments.join(' '),
      key.expiresAt,
      stateOf(key),
    ],
  );
}

/** `yardmaster tokens …`: tokens of operators and workers. */
export function tokensCommands(root: Command, io: ProcessIo): void {
  const group = root.command('tokens').description('tokens of operators and workers');
  const create = apiCommand(
    group,
    io,
    'create',
    'create a token; its secret is shown once',
    async (session, { name, role, expires, environment, label }: TokenFlags) => {
      if (name === undefined || role === undefined)
        throw new Fault('USAGE', `specify --name NAME and --role ROLE (${ROLES.join(', ')})`);
      const token = await session.api.call('tokens.create', {
        body: {
          name,
          role,
          ...(expires === undefined ? {} : { expiresAt: expires }),
          ...(environment === undefined ? {} : { environments: environment }),
          ...(label === undefined ? {} : { labels: labels(label) }),
        },
      });
      session.show(token, () => [token.token]);
      if (!session.json) io.err(`token ${token.id}; save it now, it is not shown again`);
    },
  );
  option(create, io, '--name <name>', 'who or what uses it');
  option(create, io, '--role <role>', 'its role', { choices: ROLES });
  option(create, io, '--expires <time>', 'a time, or in 30d, 12h', { parse: future });
  option(create, io, '--environment <name...>', 'role worker: its workers get only tasks of these (default: all)', {
    parse: list,
  });
  option(create, io, '--label <key=value>', 'role worker: label of its workers; repeatable', { parse: list });
  listAndRevoke(
    group,
    io,
    'tokens',
    (api, query) => api.call('tokens.list', { query }),
    (api, id) => api.call('tokens.revoke', { params: { id } }),
    ['id', 'name', 'role', 'prefix', 'environments', 'labels', 'expires', 'state'],
    (token) => [
      token.id,
      token.name,
      token.role,
      token.prefix,
      token.role === 'worker' ? (token.environments?.join(' ') ?? 'all') : null,
      Object.entries(token.labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
      token.expiresAt,
      stateOf(token),
    ],
  );
}

/** `yardmaster sessions …`: browsers that are signed in. */
export function sessionsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('sessions').description('browsers that are signed in');
  const find = apiCommand(
    group,
    io,
    'list',
    'list your sessions; with the role admin all',
    async (session, { page, size }: PageFlags) => {
      const found = await session.api.call('sessions.list', { query: { page, size } });
      session.show(found, () => [
        ...table(
          ['id', 'user', 'role', 'signed in', 'expires', 'last seen', 'from', 'browser'],
          found.items.map((one) => [
            one.id,
            one.actor,
            one.role,
            one.createdAt,
            one.expiresAt,
            one.lastSeenAt,
            one.address,
            one.client,
          ]),
          'no sessions',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(find, io);
  apiCommand(group, io, 'end <id>', 'sign it out immediately', async (session, _flags, id) => {
    await session.api.call('sessions.end', { params: { id } });
    session.show({ id, ended: true }, () => [`ended ${id}`]);
  });
}

function listAndRevoke<T extends { id: string; project?: string }>(
  group: Command,
  io: ProcessIo,
  noun: string,
  read: (api: MasterApi, query: { page: number | undefined; size: number | undefined }) => Promise<Page<T>>,
  revoke: (api: MasterApi, id: string) => Promise<undefined>,
  head: string[],
  row: (item: T) => (string | null)[],
): void {
  const find = apiCommand(group, io, 'list', `list ${noun}`, async (session, { page, size }: PageFlags) => {
    const found = await read(session.api, { page, size });
    const project = projectColumn(found.items);
    session.show(found, () => [
      ...table(
        [...head, ...project.head],
        found.items.map((item) => [...row(item), ...project.cell(item)]),
        `no ${noun}`,
      ),
      ...pageLine(found),
    ]);
  });
  paging(find, io);
  apiCommand(group, io, 'revoke <id>', 'revoke it immediately and permanently', async (session, _flags, id) => {
    await revoke(session.api, id);
    session.show({ id, revoked: true }, () => [`revoked ${id}`]);
  });
}

function stateOf({ revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string | null }): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
}

/** A time to come: ISO 8601, or in how long. */
export function future(text: string): string {
  const [, count, unit = ''] = /^(\d+)(m|h|d)$/.exec(text) ?? [];
  const ms = MS[unit];
  const at =
    ms !== undefined ? Date.now() + Number(count) * ms : /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      'Expected a time such as 2027-01-31T12:00:00Z, or a duration from now such as 12h or 30d.',
    );
  return new Date(at).toISOString();
}
