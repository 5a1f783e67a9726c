import { join } from 'node:path';
import type { Command } from 'commander';
import { errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { openFolder } from '../../lib/folder-writer.ts';
import { isRecord } from '../../lib/is-record.ts';
import { apiCommand } from '../api-command.ts';
import { connectToMaster, type MasterApi } from '../api-client.ts';
import { createGrafanaApi, type GrafanaApi } from '../grafana/grafana-api.ts';
import { provisionFiles, type FilesWanted } from '../grafana/provision-files.ts';
import { provision, unprovision, type ContactPoint, type Done } from '../grafana/provision.ts';
import type { ProcessIo } from '../process-io.ts';
import { option } from '../options.ts';
import { refusePlain } from '../refuse-plain.ts';
import { table } from '../text-table.ts';
import { readJson } from '../workflow-file.ts';

type Json = Readonly<Record<string, unknown>>;

/** As the chart mounts it. */
const DEFAULT_MOUNT = '/etc/grafana/yardmaster';

interface Addresses {
  metricsUrl?: string;
  logsUrl?: string;
  consoleUrl?: string;
}
interface ProvisionFlags extends Addresses {
  url?: string;
  token?: string;
  master?: string;
  data?: string;
  containersUrl?: string;
  contactPoints?: string;
  files?: string;
  mountedAt: string;
  remove?: boolean;
  allowPlain?: boolean;
  json?: boolean;
}

/** `yardmaster grafana export DIR` and `yardmaster grafana provision`. */
export function grafanaCommands(root: Command, io: ProcessIo): void {
  const grafana = root.command('grafana').description('dashboards, data sources and alerts in Grafana');
  const files = apiCommand(
    grafana,
    io,
    'export <dir>',
    'write dashboards, data sources and alert rules as files for Grafana',
    async (session, { metricsUrl, logsUrl, consoleUrl }: Addresses, dir) => {
      const { files } = await session.api.checkedCall('dashboards.exportGrafana', {
        query: { metricsUrl, logsUrl, consoleUrl },
      });
      let target = dir;
      try {
        const folder = openFolder(dir);
        for (const { path, content } of files) {
          target = join(dir, path);
          folder.write(path, content);
        }
      } catch (error) {
        if (error instanceof Fault) throw error;
        throw new Fault('FILE_UNWRITABLE', `cannot write ${target}: ${errorMessage(error)}`);
      }
      session.show({ folder: dir, files: files.map(({ path }) => path) }, () => [
        ...files.map(({ path }) => join(dir, path)),
        `${files.length} files; see ${join(dir, 'README.md')} for how to import them`,
      ]);
    },
  );
  addresses(files, io);

  const command = grafana
    .command('provision')
    .description('make dashboards, data sources, alert rules and notification policies in a Grafana, or update them');
  // Those of a master have variables of the same name: these options have others.
  command.option('--url <url>', 'URL of Grafana (or GRAFANA_URL)');
  command.option('--token <token>', 'token of a service account of Grafana with the role Admin (or GRAFANA_TOKEN)');
  command.option(
    '--master <url>',
    'URL of the master (or YARDMASTER_URL; its token: YARDMASTER_TOKEN; default: the local one)',
  );
  option(command, io, '--data <dir>', 'data folder of the local master');
  addresses(command, io);
  option(command, io, '--containers-url <url>', 'Prometheus with metrics of the containers, as one more data source');
  option(
    command,
    io,
    '--contact-points <file>',
    'JSON list of contact points of Grafana, [{"name", "type", "settings"}], besides the email channels of the master',
  );
  option(
    command,
    io,
    '--files <folder>',
    'write files for provisioning by a sidecar or a volume instead of calling Grafana; needs neither --url nor --token',
  );
  option(command, io, '--mounted-at <path>', 'where Grafana sees the folder of --files', { fallback: DEFAULT_MOUNT });
  option(command, io, '--remove', 'remove what was made by this command, and nothing else');
  option(command, io, '--allow-plain', 'send tokens over http:// to another machine, readable by anyone on the way');
  option(command, io, '--json', 'print only JSON');
  command.action(async () => {
    const flags = command.opts<ProvisionFlags>();
    const done = await run(flags, io);
    if (flags.json) io.out(JSON.stringify({ done }));
    else
      for (const line of table(
        ['what', 'name', ''],
        done.map(({ what, name, did }) => [what, name, did]),
        'nothing to do',
      ))
        io.out(line);
  });
}

function addresses(command: Command, io: ProcessIo): void {
  option(
    command,
    io,
    '--metrics-url <url>',
    'URL of the metrics for Grafana (default: that of --metrics of the master, else http://localhost:8086)',
  );
  option(command, io, '--logs-url <url>', 'URL of the logs for Grafana (default: http://localhost:9428)');
  option(
    command,
    io,
    '--console-url <url>',
    'URL of the console, as people reach it: panels and log lines link to jobs (default: no links)',
  );
}

async function run(flags: ProvisionFlags, io: ProcessIo): Promise<Done> {
  if (flags.files !== undefined && (flags.url !== undefined || flags.token !== undefined))
    throw new Fault('USAGE', '--files writes files for Grafana; it does not call one, so leave out --url and --token');
  const { data, allowPlain = false, files: folder, remove = false } = flags;
  const grafana = folder === undefined ? grafanaOf(flags, io) : null;
  if (folder !== undefined && remove) return inFolder(folder, null);
  const master = flags.master ?? (io.env['YARDMASTER_URL'] || undefined);
  const masterToken = io.env['YARDMASTER_TOKEN'];
  const api = connectToMaster(
    {
      ...(master === undefined ? {} : { url: master }),
      ...(masterToken ? { token: masterToken } : {}),
      ...(data === undefined ? {} : { data }),
      allowPlain,
    },
    io,
  );
  const { metricsUrl, logsUrl, consoleUrl } = flags;
  const { files } = await api.checkedCall('dashboards.exportGrafana', { query: { metricsUrl, logsUrl, consoleUrl } });
  const containers = flags.containersUrl === undefined ? [] : [containersAt(flags.containersUrl)];
  if (grafana !== null && remove) {
    const datasources = membersOf(files, 'datasources');
    return unprovision(grafana, [...datasources, { uid: CONTAINERS_UID, name: 'Containers' }]);
  }
  const { groupBy, groupWaitSeconds, groupIntervalSeconds, repeatIntervalSeconds } = await api.call('alertPolicy.get');
  const notified = {
    contactPoints: [
      ...(await emailsOf(api)),
      ...(flags.contactPoints === undefined ? [] : await contactPointsIn(flags.contactPoints, io)),
    ],
    policy: {
      groupBy: groupBy ?? ['alertname'],
      groupWaitSeconds: groupWaitSeconds ?? 30,
      groupIntervalSeconds: groupIntervalSeconds ?? 300,
      repeatIntervalSeconds: repeatIntervalSeconds ?? 14_400,
    },
  };
  if (folder !== undefined)
    return inFolder(folder, { files, datasources: containers, ...notified, mountedAt: flags.mountedAt });
  if (grafana === null) return [];
  return provision(grafana, {
    datasources: [...membersOf(files, 'datasources').map((one) => forApi(one, io.env)), ...containers],
    dashboards: files
      .filter(({ path }) => path.startsWith('dashboards/'))
      .flatMap(({ content }) => [JSON.parse(content)].filter(isRecord)),
    groups: membersOf(files, 'groups'),
    ...notified,
  });
}

function grafanaOf(flags: ProvisionFlags, io: ProcessIo): GrafanaApi {
  const url = flags.url ?? io.env['GRAFANA_URL'];
  const token = flags.token ?? io.env['GRAFANA_TOKEN'];
  if (url === undefined || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Fault('USAGE', '--url must be the http or https URL of Grafana, such as http://localhost:3000');
  if (!token) throw new Fault('USAGE', '--token (or GRAFANA_TOKEN) must be a token of a service account of Grafana');
  if (flags.allowPlain !== true) refusePlain(url);
  return createGrafanaApi(url, token);
}

function inFolder(path: string, wanted: FilesWanted | null): Done {
  try {
    return provisionFiles(openFolder(path), wanted);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('FILE_UNWRITABLE', `cannot write to ${path}: ${errorMessage(error)}`);
  }
}

const CONTAINERS_UID = 'yardmaster-containers';
const containersAt = (url: string): Json => ({
  ...{ name: 'Containers', uid: CONTAINERS_UID, type: 'prometheus' },
  ...{ access: 'proxy', url, jsonData: {} },
});

/** A list of the export's provisioning files, which are JSON. */
function membersOf(files: readonly { path: string; content: string }[], name: string): Json[] {
  return files
    .filter(({ path }) => path.startsWith('provisioning/'))
    .flatMap(({ content }) => {
      const file: unknown = JSON.parse(content);
      const list = isRecord(file) ? file[name] : undefined;
      return Array.isArray(list) ? list.filter(isRecord) : [];
    });
}

/**
 * As the API takes it: with tokens in the place of the variables that files name, and a `$` once. Without a token Grafana
 * keeps the one that it has.
 */
function forApi(datasource: Json, env: ProcessIo['env']): Json {
  const { secureJsonData, jsonData, ...rest } = datasource;
  const tokens = Object.entries(TOKENS).map(([variable, from]) => [variable, env[from] ?? ''] as const);
  const secrets = Object.entries(isRecord(secureJsonData) ? secureJsonData : {}).flatMap(([name, value]) => {
    const [variable, token] = tokens.find(([one]) => String(value).endsWith(`$${one}`)) ?? ['', ''];
    return token === '' ? [] : [[name, String(value).replace(`$${variable}`, () => token)]];
  });
  return {
    ...rest,
    jsonData: JSON.parse(JSON.stringify(jsonData ?? {}).replaceAll('$$', () => '$')),
    ...(secrets.length > 0 ? { secureJsonData: Object.fromEntries(secrets) } : {}),
  };
}

/** Variables that the files name, and those that this command takes them from. */
const TOKENS = {
  YARDMASTER_TOKEN: 'YARDMASTER_GRAFANA_READ_TOKEN',
  YARDMASTER_INFLUXDB_TOKEN: 'YARDMASTER_GRAFANA_INFLUXDB_TOKEN',
};

/** Email needs no secret of ours: Grafana sends by its own server. */
async function emailsOf(api: MasterApi): Promise<ContactPoint[]> {
  const { items } = await api.call('channels.list', { query: { size: 500 } });
  return items.flatMap(({ kind, name, settings }) => {
    const to = isRecord(settings) ? settings['to'] : undefined;
    return kind === 'email' && typeof to === 'string'
      ? [{ name: `Yardmaster: ${name}`, type: 'email', settings: { addresses: to, singleEmail: true } }]
      : [];
  });
}

async function contactPointsIn(file: string, io: ProcessIo): Promise<ContactPoint[]> {
  const list = await readJson<unknown>(file, io);
  if (!Array.isArray(list)) throw new Fault('FILE_INVALID', `${file} must be a JSON list of contact points`);
  return list.map((one: unknown, i) => {
    if (
      !isRecord(one) ||
      typeof one['name'] !== 'string' ||
      typeof one['type'] !== 'string' ||
      !isRecord(one['settings'])
    )
      throw new Fault(
        'FILE_INVALID',
        `${file}: entry ${i + 1} must have the texts name and type, and the object settings`,
      );
    return { name: one['name'], type: one['type'], settings: one['settings'] };
  });
}
