import { type Command, InvalidArgumentError } from 'commander';
import { Fault } from '../../lib/fault.ts';
import { forTerminal } from '../../lib/for-terminal.ts';
import type { ProvisionStep } from '../../lib/influxdb/provision.ts';
import { option } from '../options.ts';
import type { ProcessIo } from '../process-io.ts';
import { type RemoteMetricsFlags, remoteMetricsOf, remoteMetricsOptions } from '../remote-metrics.ts';
import { table } from '../text-table.ts';

interface ProvisionFlags extends RemoteMetricsFlags {
  retention?: number;
  jobsRetention?: number;
  rollUpRetention?: number;
  dryRun?: boolean;
  json?: boolean;
}

/** `yardmaster metrics provision`: makes the buckets and tasks that a master with `--metrics` uses. */
export function provisionCommand(group: Command, io: ProcessIo): void {
  const command = group
    .command('provision')
    .description('create or update the buckets and roll-up tasks in InfluxDB 2; can be repeated at any time');
  remoteMetricsOptions(command, io);
  option(command, io, '--retention <time>', 'how long all points are kept: 90d, 12h or 0 for ever (new bucket: 90d)', {
    parse: retention,
  });
  option(command, io, '--jobs-retention <time>', 'how long points of single jobs are kept (new bucket: 7d)', {
    parse: retention,
  });
  option(command, io, '--roll-up-retention <time>', 'how long one-minute roll-ups are kept (new bucket: for ever)', {
    parse: retention,
  });
  option(command, io, '--dry-run', 'only show what would be done');
  option(command, io, '--json', 'print only JSON');
  command.action(async (flags: ProvisionFlags) => provision(flags, io));
}

async function provision(flags: ProvisionFlags, io: ProcessIo): Promise<void> {
  const remote = remoteMetricsOf(flags, io.env);
  if (remote === null) throw new Fault('USAGE', 'specify the InfluxDB: --metrics https://HOST:8086 --metrics-org NAME');
  const { createRemoteHttp, remoteTarget } = await import('../../lib/remote-http.ts');
  const { provisionInflux } = await import('../../lib/influxdb/provision.ts');
  const http = createRemoteHttp(remoteTarget(remote, '--metrics-ca'), 1);
  try {
    const steps = await provisionInflux(http, remote.url, {
      organization: remote.organization,
      bucket: remote.bucket,
      retention: {
        all: flags.retention ?? null,
        jobs: flags.jobsRetention ?? null,
        rolled: flags.rollUpRetention ?? null,
      },
      dryRun: flags.dryRun ?? false,
    });
    if (flags.json) io.out(JSON.stringify({ dryRun: flags.dryRun ?? false, steps }));
    else for (const line of linesOf(steps, flags.dryRun ?? false)) io.out(forTerminal(line));
  } finally {
    http.close();
  }
}

const WORDS: Readonly<Record<ProvisionStep['action'], string>> = {
  created: 'create',
  updated: 'update',
  unchanged: 'unchanged',
  unsupported: 'not supported by this server',
};

function linesOf(steps: readonly ProvisionStep[], dryRun: boolean): string[] {
  return [
    ...table(
      ['', 'name', dryRun ? 'to do' : 'done', 'retention'],
      steps.map(({ kind, name, action, retentionSeconds }) => [
        kind,
        name,
        dryRun || action === 'unsupported' ? WORDS[action] : action,
        retentionSeconds === null ? '' : retentionSeconds === 0 ? 'for ever' : `${retentionSeconds / 3600} h`,
      ]),
      '',
    ),
    ...(steps.some(({ action }) => action === 'unsupported')
      ? ['Without tasks there are no roll-ups: charts show what is still in the bucket of all points.']
      : []),
  ];
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, d: 86_400, w: 604_800 };

/** Seconds; InfluxDB keeps points for an hour at least. */
function retention(text: string): number {
  if (/^0[hdw]?$/.test(text)) return 0;
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (!(seconds >= 3600))
    throw new InvalidArgumentError('Expected hours, days or weeks such as 12h, 90d or 4w, or 0 for ever.');
  return seconds;
}
