import type { Command } from 'commander';
import type { DashboardDefinition } from '../../contract/dashboards.ts';
import { apiCommand } from '../api-command.ts';
import { readJson } from '../workflow-file.ts';
import type { ProcessIo } from '../process-io.ts';
import { option } from '../options.ts';
import { projectColumn } from './project-column.ts';
import { table } from '../text-table.ts';

/** `yardmaster dashboards …`. */
export function dashboardCommands(root: Command, io: ProcessIo): void {
  const group = root.command('dashboards').description('dashboards of metrics and logs');
  apiCommand(group, io, 'list', 'list dashboards', async (session) => {
    const { items } = await session.api.call('dashboards.list');
    const column = projectColumn(items);
    session.show(items, () =>
      table(
        ['id', 'title', 'panels', 'changed', 'by', ...column.head],
        items.map(({ id, title, panels, updatedAt, updatedBy, builtIn, project }) => [
          id,
          title,
          panels,
          updatedAt,
          builtIn ? 'built in' : updatedBy,
          ...column.cell({ ...(project === undefined ? {} : { project }) }),
        ]),
        'no dashboards',
      ),
    );
  });
  apiCommand(group, io, 'export <id>', 'print the definition of a dashboard', async (session, _flags, id) => {
    const { definition } = await session.api.call('dashboards.get', { params: { id } });
    session.show(definition, () => [JSON.stringify(definition, null, 2)]);
  });
  const give = apiCommand(
    group,
    io,
    'import <id> <file>',
    'create or update a dashboard from a definition file ("-": standard input)',
    async (session, { project }: { project?: string }, id, file) => {
      const definition = await readJson<DashboardDefinition>(file, io);
      const { items } = await session.api.call('dashboards.list');
      // One that is built in has none, and is not there for this.
      const version = items.find((one) => one.id === id && !one.builtIn)?.version ?? null;
      const made =
        version === null
          ? await session.api.call('dashboards.create', {
              body: { id, definition, ...(project === undefined ? {} : { project }) },
            })
          : await session.api.call('dashboards.update', {
              params: { id },
              body: { definition, version, ...(project === undefined ? {} : { project }) },
            });
      session.show(made, () => [`${made.id} is at version ${made.version}`]);
    },
  );
  option(give, io, '--project <id>', 'project that it belongs to (default: as it is; of a new one, default)');
  apiCommand(group, io, 'delete <id>', 'delete one of your own dashboards', async (session, _flags, id) => {
    await session.api.call('dashboards.delete', { params: { id } });
    session.show({ deleted: id }, () => [`deleted ${id}`]);
  });
}
