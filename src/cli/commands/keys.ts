import { InvalidArgumentError, type Command } from 'commander';
import type { Page } from '../../contract/shapes.ts';
import { type Environment, type Role, ROLES } from '../../contract/vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import type { MasterApi } from '../api-client.ts';
import { apiCommand, paging, type PageFlags } from '../api-command.ts';
import type { ProcessIo } from '../process-io.ts';
import { limitCommand, limitOptions, limitsChange, type LimitFlags } from './rate-limit.ts';
import { MS, list, option } from '../options.ts';
import { pageLine, table } from '../text-table.ts';

interface KeyFlags extends LimitFlags {
  name?: string;
  workflow?: string[];
  environment?: Environment[];
  expires?: string;
}

/** `yardmaster keys …`: API keys, with which clients call published workflows. */
export function keysCommands(root: Command, io: ProcessIo): void {
  const group = root.command('keys').description('API keys of clients');
  const create = apiCommand(
    group,
    io,
    'create',
    'create a key; its secret is shown once',
    async (session, { name, workflow, environment, expires, ...flags }: KeyFlags) => {
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
    async (session, { name, role, expires }: { name?: string; role?: Role; expires?: string }) => {
      if (name === undefined || role === undefined)
        throw new Fault('USAGE', `specify --name NAME and --role ROLE (${ROLES.join(', ')})`);
      const token = await session.api.call('tokens.create', {
        body: { name, role, ...(expires === undefined ? {} : { expiresAt: expires }) },
      });
      session.show(token, () => [token.token]);
      if (!session.json) io.err(`token ${token.id}; save it now, it is not shown again`);
    },
  );
  option(create, io, '--name <name>', 'who or what uses it');
  option(create, io, '--role <role>', 'its role', { choices: ROLES });
  option(create, io, '--expires <time>', 'a time, or in 30d, 12h', { parse: future });
  listAndRevoke(
    group,
    io,
    'tokens',
    (api, query) => api.call('tokens.list', { query }),
    (api, id) => api.call('tokens.revoke', { params: { id } }),
    ['id', 'name', 'role', 'prefix', 'expires', 'state'],
    (token) => [token.id, token.name, token.role, token.prefix, token.expiresAt, stateOf(token)],
  );
}

function listAndRevoke<T>(
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
    session.show(found, () => [...table(head, found.items.map(row), `no ${noun}`), ...pageLine(found)]);
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
