import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { Dashboard, DashboardDefinition, DashboardSummary, GrafanaExport } from '../../contract/dashboards.ts';
import { Fault } from '../../lib/fault.ts';
import { apiCommand, pathSegment } from '../api-command.ts';
import { readJson } from '../workflow-file.ts';
import type { ProcessIo } from '../process-io.ts';
import { option } from '../options.ts';
import { table } from '../text-table.ts';

const PATH = '/api/v1/dashboards';

/** `yardmaster dashboards …` and `yardmaster grafana export DIR`. */
export function dashboardCommands(root: Command, io: ProcessIo): void {
  const group = root.command('dashboards').description('dashboards of metrics and logs');
  apiCommand(group, io, 'list', 'list dashboards', async (session) => {
    const { items } = await session.api.call<{ items: DashboardSummary[] }>('GET', PATH);
    session.show(items, () =>
      table(
        ['id', 'title', 'panels', 'changed', 'by'],
        items.map(({ id, title, panels, updatedAt, updatedBy, builtIn }) => [
          id,
          title,
          panels,
          updatedAt,
          builtIn ? 'built in' : updatedBy,
        ]),
        'no dashboards',
      ),
    );
  });
  apiCommand(group, io, 'export <id>', 'print the definition of a dashboard', async (session, _flags, id) => {
    const { definition } = await session.api.call<Dashboard>('GET', `${PATH}/${pathSegment(id as string)}`);
    session.show(definition, () => [JSON.stringify(definition, null, 2)]);
  });
  apiCommand(
    group,
    io,
    'import <id> <file>',
    'create or update a dashboard from a definition file ("-": standard input)',
    async (session, _flags, id, file) => {
      const definition = (await readJson(file as string, io)) as DashboardDefinition;
      const { items } = await session.api.call<{ items: DashboardSummary[] }>('GET', PATH);
      const there = items.find((one) => one.id === id && !one.builtIn);
      const made = there
        ? await session.api.call<Dashboard>('PUT', `${PATH}/${pathSegment(id as string)}`, {
            body: { definition, version: there.version },
          })
        : await session.api.call<Dashboard>('POST', PATH, { body: { id, definition } });
      session.show(made, () => [`${made.id} is at version ${made.version}`]);
    },
  );
  apiCommand(group, io, 'delete <id>', 'delete one of your own dashboards', async (session, _flags, id) => {
    await session.api.call('DELETE', `${PATH}/${pathSegment(id as string)}`);
    session.show({ deleted: id }, () => [`deleted ${id}`]);
  });

  const grafana = root.command('grafana').description('export dashboards and alerts to Grafana');
  const give = apiCommand<{ metricsUrl?: string; logsUrl?: string }>(
    grafana,
    io,
    'export <dir>',
    'write dashboards, data sources and alert rules as files for Grafana',
    async (session, { metricsUrl, logsUrl }, dir) => {
      const { files } = await session.api.call<GrafanaExport>('GET', '/api/v1/grafana', {
        query: { metricsUrl, logsUrl },
      });
      for (const { path, content } of files) {
        const target = join(dir as string, path);
        try {
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, content);
        } catch (error) {
          throw new Fault('FILE_UNWRITABLE', `cannot write ${target}: ${(error as Error).message}`);
        }
      }
      session.show({ folder: dir, files: files.map(({ path }) => path) }, () => [
        ...files.map(({ path }) => join(dir as string, path)),
        `${files.length} files; see ${join(dir as string, 'README.md')} for how to import them`,
      ]);
    },
  );
  option(give, io, '--metrics-url <url>', 'URL of the metrics for Grafana (default: http://localhost:8086)');
  option(give, io, '--logs-url <url>', 'URL of the logs for Grafana (default: http://localhost:9428)');
}
