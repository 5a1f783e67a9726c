import type { Command } from 'commander';
import type { Environment } from '../../contract/vocabulary.ts';
import { isOneOf } from '../../lib/is-one-of.ts';
import { ACTIONS, type Action } from '../../contract/actions.ts';
import { Fault } from '../../lib/fault.ts';
import { apiCommand, paging, type PageFlags } from '../api-command.ts';
import { list, option } from '../options.ts';
import type { ProcessIo } from '../process-io.ts';
import { pageLine, table } from '../text-table.ts';

/** `yardmaster projects …`: what workflows, API keys, secrets and dashboards belong to. */
export function projectsCommands(root: Command, io: ProcessIo): void {
  const group = root
    .command('projects')
    .description('projects, which workflows, API keys, secrets and dashboards belong to');
  const find = apiCommand(group, io, 'list', 'list projects', async (session, { page, size }: PageFlags) => {
    const found = await session.api.call('projects.list', { query: { page, size } });
    session.show(found, () => [
      ...table(
        ['id', 'name', 'workflows'],
        found.items.map((one) => [one.id, one.name, String(one.workflows)]),
        'no projects',
      ),
      ...pageLine(found),
    ]);
  });
  paging(find, io);
  const create = apiCommand(
    group,
    io,
    'create <id>',
    'create a project',
    async (session, { name }: { name?: string }, id) => {
      const project = await session.api.call('projects.create', { body: { id, name: name ?? id } });
      session.show(project, () => [project.id]);
    },
  );
  option(create, io, '--name <name>', 'what people see (default: its ID)');
  const mask = apiCommand(
    group,
    io,
    'mask <id> [path...]',
    'mask fields of payloads, all of them named; without one: none',
    async (session, _flags, id, paths) => {
      const project = await session.api.call('projects.update', { params: { id }, body: { masks: paths } });
      session.show(project, () => [`${project.id} masks ${project.masks.join(' ') || 'nothing'}`]);
    },
  );
  mask.addHelpText('after', '\nA path: $.customer.iban, or items[*].sku for each element of an array.');
  apiCommand(
    group,
    io,
    'delete <id>',
    'delete a project that nothing belongs to and no grant names',
    async (session, _flags, id) => {
      await session.api.call('projects.delete', { params: { id } });
      session.show({ id, deleted: true }, () => [`deleted ${id}`]);
    },
  );
  const move = apiCommand(
    group,
    io,
    'move <project> [workflow...]',
    'move workflows, API keys, secrets or dashboards into a project',
    async (session, { key = [], secret = [], dashboard = [] }: MoveFlags, project, workflows) => {
      const { api } = session;
      if (workflows.length + key.length + secret.length + dashboard.length === 0)
        throw new Fault('USAGE', 'specify what to move: WORKFLOW…, --key ID…, --secret NAME… or --dashboard ID…');
      const body = { project };
      // Keys and secrets name workflows of their own project: these go first.
      for (const id of workflows) await api.call('workflows.update', { params: { id }, body });
      for (const id of key) await api.call('keys.update', { params: { id }, body });
      for (const name of secret) await api.call('secrets.update', { params: { name }, body });
      for (const id of dashboard) {
        const { definition, version } = await api.call('dashboards.get', { params: { id } });
        // One that is built in has no version; the master says that it stays.
        await api.call('dashboards.update', { params: { id }, body: { definition, version: version ?? 1, project } });
      }
      session.show({ project, workflows, keys: key, secrets: secret, dashboards: dashboard }, () =>
        [...workflows, ...key, ...secret, ...dashboard].map((id) => `${id} is in ${project}`),
      );
    },
  );
  option(move, io, '--key <id...>', 'API keys', { parse: list });
  option(move, io, '--secret <name...>', 'secrets', { parse: list });
  option(move, io, '--dashboard <id...>', 'dashboards', { parse: list });
}

interface MoveFlags {
  key?: string[];
  secret?: string[];
  dashboard?: string[];
}

/** `yardmaster roles …`: named sets of actions. */
export function rolesCommands(root: Command, io: ProcessIo): void {
  const group = root.command('roles').description('roles of people: what each may do');
  const find = apiCommand(
    group,
    io,
    'list',
    'list roles with their actions',
    async (session, { page, size }: PageFlags) => {
      const found = await session.api.call('roles.list', { query: { page, size } });
      session.show(found, () => [
        ...table(
          ['role', 'kind', 'grants', 'actions'],
          found.items.map((one) => [
            one.id,
            one.builtIn ? 'built-in' : 'custom',
            String(one.grants),
            one.actions.join(' '),
          ]),
          'no roles',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(find, io);
  const set = apiCommand(
    group,
    io,
    'set <id>',
    'create or change a custom role',
    async (session, { action = [], description }: { action?: string[]; description?: string }, id) => {
      const unknown = action.filter((one) => !isOneOf(ACTIONS, one));
      if (action.length === 0 || unknown.length > 0)
        throw new Fault(
          'USAGE',
          `${unknown.length > 0 ? `unknown actions: ${unknown.join(', ')}` : 'specify its actions: --action A…'}; there are ${ACTIONS.join(', ')}`,
        );
      const role = await session.api.call('roles.set', {
        params: { id },
        body: { actions: action as Action[], ...(description === undefined ? {} : { description }) },
      });
      session.show(role, () => [
        `${role.id}: ${role.actions.join(' ')}`,
        ...(role.warnings ?? []).map((warning) => `warning: ${warning}`),
      ]);
    },
  );
  option(set, io, '--action <name...>', 'what it allows, all of it', { parse: list });
  option(set, io, '--description <text>', 'what it is for');
  apiCommand(group, io, 'delete <id>', 'delete a custom role that nobody has', async (session, _flags, id) => {
    await session.api.call('roles.delete', { params: { id } });
    session.show({ id, deleted: true }, () => [`deleted ${id}`]);
  });
}

interface GrantFlags {
  user?: string;
  group?: string;
  role?: string;
  project?: string;
  environment?: Environment[];
}

/** `yardmaster grants …`: who has which role where. */
export function grantsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('grants').description('who has which role in which project');
  const find = apiCommand(group, io, 'list', 'list grants', async (session, flags: PageFlags & GrantFlags) => {
    const { page, size, user, group: name, role, project } = flags;
    if (user !== undefined && name !== undefined) throw new Fault('USAGE', 'specify --user or --group, not both');
    const subject = user ?? name;
    const found = await session.api.call('grants.list', {
      query: {
        page,
        size,
        ...(subject === undefined ? {} : { subjectKind: user === undefined ? 'group' : 'user', subject }),
        ...(role === undefined ? {} : { role }),
        ...(project === undefined ? {} : { project }),
      },
    });
    session.show(found, () => [
      ...table(
        ['id', 'who', 'role', 'project', 'environments', 'given', 'by'],
        found.items.map((one) => [
          one.id,
          `${one.subjectKind} ${one.subjectName ?? one.subject}`,
          one.role,
          one.project ?? 'all',
          one.environments?.join(' ') ?? 'all',
          one.createdAt,
          one.createdBy,
        ]),
        'no grants',
      ),
      ...pageLine(found),
    ]);
  });
  paging(find, io);
  option(find, io, '--user <id>', 'only of this person or service account');
  option(find, io, '--group <name>', 'only of this group');
  option(find, io, '--role <role>', 'only of this role');
  option(find, io, '--project <id>', 'only those that hold in this project');
  const add = apiCommand(
    group,
    io,
    'add',
    'give somebody a role',
    async (session, { user, group: name, role, project, environment }: GrantFlags) => {
      if ((user === undefined) === (name === undefined) || role === undefined)
        throw new Fault('USAGE', 'specify --user ID or --group NAME, and --role ROLE');
      const grant = await session.api.call('grants.create', {
        body: {
          subjectKind: user === undefined ? 'group' : 'user',
          subject: user ?? name ?? '',
          role,
          ...(project === undefined ? {} : { project }),
          ...(environment === undefined ? {} : { environments: environment }),
        },
      });
      session.show(grant, () => [grant.id]);
    },
  );
  option(add, io, '--user <id>', 'ID of a person or service account');
  option(add, io, '--group <name>', 'everybody in a group');
  option(add, io, '--role <role>', 'built-in or custom');
  option(add, io, '--project <id>', 'only in this project (default: all)');
  option(add, io, '--environment <name...>', 'only in these environments (default: all)', { parse: list });
  apiCommand(group, io, 'remove <id>', 'take a role back immediately', async (session, _flags, id) => {
    await session.api.call('grants.delete', { params: { id } });
    session.show({ id, removed: true }, () => [`removed ${id}`]);
  });
}
