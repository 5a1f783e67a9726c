import type { Command } from 'commander';
import type { SecretScope } from '../../contract/secrets.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import { apiCommand, paging, type PageFlags } from '../api-command.ts';
import type { ProcessIo } from '../process-io.ts';
import { list, option } from '../options.ts';
import { projectColumn } from './project-column.ts';
import { pageLine, table } from '../text-table.ts';

const VALUE = 'YARDMASTER_SECRET_VALUE';

interface ScopeFlags {
  workflow?: string[];
  environment?: string[];
  drafts?: boolean;
}

/** `yardmaster secrets …`: values for `http` and `code` nodes. A value never stands on a command line, where others could read it. */
export function secretsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('secrets').description("secrets for http and code nodes; values can't be read back");
  const find = apiCommand(group, io, 'list', 'list secret names', async (session, { page, size }: PageFlags) => {
    const found = await session.api.call('secrets.list', { query: { page, size } });
    const project = projectColumn(found.items);
    session.show(found, () => [
      ...table(
        ['name', 'description', 'workflows', 'environments', 'drafts', 'changed', 'by', 'key', ...project.head],
        found.items.map((one) => [
          one.name,
          one.description,
          ...scopeCells(one.scope),
          one.updatedAt,
          one.updatedBy,
          one.readable ? 'there' : 'MISSING',
          ...project.cell(one),
        ]),
        'no secrets',
      ),
      ...pageLine(found),
    ]);
  });
  paging(find, io);

  const set = apiCommand(
    group,
    io,
    'set <name>',
    `set a secret; its value is read from standard input or ${VALUE}`,
    async (
      session,
      { description, project, ...flags }: ScopeFlags & { description?: string; project?: string },
      name,
    ) => {
      const value = await readValue(io);
      const scope = scopeChange(flags);
      const set = await session.api.call('secrets.set', {
        params: { name },
        body: {
          value,
          ...(description === undefined ? {} : { description }),
          ...(scope === null ? {} : { scope: withoutNulls(scope) }),
          ...(project === undefined ? {} : { project }),
        },
      });
      session.show(set, () => [`set ${set.name}`]);
    },
  );
  option(set, io, '--description <text>', 'what it is for');
  option(set, io, '--project <id>', 'project whose workflows may use it (default: as it is; of a new one, default)');
  scopeOptions(set, io);

  const scope = apiCommand(
    group,
    io,
    'scope <name>',
    'change which jobs may use a secret; its value stays',
    async (session, flags: ScopeFlags, name) => {
      const change = scopeChange(flags);
      if (change === null)
        throw new Fault(
          'USAGE',
          "specify what to change: --workflow ID… or --environment E… ('*': all), --drafts or --no-drafts",
        );
      const changed = await session.api.call('secrets.update', { params: { name }, body: { scope: change } });
      session.show(changed, () => table(['workflows', 'environments', 'drafts'], [scopeCells(changed.scope)], ''));
    },
  );
  scopeOptions(scope, io);

  apiCommand(
    group,
    io,
    'delete <name>',
    'delete a secret; tasks that use it will fail',
    async (session, _flags, name) => {
      await session.api.call('secrets.delete', { params: { name: name } });
      session.show({ name, deleted: true }, () => [`deleted ${name}`]);
    },
  );
}

function scopeOptions(command: Command, io: ProcessIo): void {
  option(command, io, '--workflow <id...>', "workflows that may use it ('*': all)", { parse: list });
  option(command, io, '--environment <name...>', "environments whose jobs may use it ('*': all)", { parse: list });
  option(command, io, '--drafts', 'draft runs and unpublished versions may use it too');
  command.option('--no-drafts', 'only published versions may use it');
}

/** Null where nothing was given. The master checks the names. */
function scopeChange({ workflow, environment, drafts }: ScopeFlags) {
  if (workflow === undefined && environment === undefined && drafts === undefined) return null;
  return {
    ...(workflow === undefined ? {} : { workflows: workflow.includes('*') ? null : workflow }),
    ...(environment === undefined
      ? {}
      : { environments: environment.includes('*') ? null : (environment as Environment[]) }),
    ...(drafts === undefined ? {} : { drafts }),
  };
}

function withoutNulls({ workflows, environments, ...rest }: NonNullable<ReturnType<typeof scopeChange>>) {
  return { ...rest, ...(workflows ? { workflows } : {}), ...(environments ? { environments } : {}) };
}

const scopeCells = ({ workflows, environments, drafts }: SecretScope): string[] => [
  workflows?.join(' ') ?? 'all',
  environments?.join(' ') ?? 'all',
  drafts ? 'yes' : 'no',
];

/** Without the line feed that `echo` and editors add. */
async function readValue(io: ProcessIo): Promise<string> {
  const given = io.env[VALUE];
  if (given) return given;
  if (io.interactive)
    throw new Fault(
      'USAGE',
      `pass the value on standard input, such as \`yardmaster secrets set NAME < file\`, or in ${VALUE}`,
    );
  const text = (await io.stdin()).replace(/\r?\n$/, '');
  if (text === '') throw new Fault('USAGE', 'the value on standard input is empty');
  return text;
}
