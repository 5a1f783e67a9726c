import type { Command } from 'commander';
import type { RemoteMetricsOptions, RemoteWriteOptions } from '../contract/process.ts';
import { Fault } from '../lib/fault.ts';
import { option } from './options.ts';
import type { ProcessIo } from './process-io.ts';
import { remoteStore } from './remote-store.ts';

export interface RemoteMetricsFlags {
  metrics?: string;
  metricsOrg?: string;
  metricsBucket?: string;
  metricsCa?: string;
}
export interface RemoteWriteFlags {
  remoteWrite?: string;
  remoteWriteCa?: string;
  remoteWriteLabels?: string;
}

const EXAMPLE = 'https://influxdb.example:8086';
const WRITE_EXAMPLE = ['https://prometheus.example:9090', 'api', 'v1', 'write'].join('/');
/** Characters; InfluxDB takes 255, and the other buckets have longer names. */
const BUCKET_CHARACTERS = 240;

/** The options of a command for metrics that InfluxDB 2 keeps. */
export function remoteMetricsOptions(command: Command, io: Pick<ProcessIo, 'env'>): void {
  option(
    command,
    io,
    '--metrics <url>',
    'keep metrics in this InfluxDB 2 instead (credentials: YARDMASTER_METRICS_TOKEN)',
  );
  option(command, io, '--metrics-org <name>', 'its organization');
  option(command, io, '--metrics-bucket <name>', 'its bucket (default: metrics)');
  option(command, io, '--metrics-ca <file>', 'certificate authority of that URL (PEM)');
}

/** The options of `master` for Prometheus remote write. */
export function remoteWriteOptions(command: Command, io: Pick<ProcessIo, 'env'>): void {
  option(
    command,
    io,
    '--remote-write <url>',
    'also send metrics to this URL by Prometheus remote write (credentials: YARDMASTER_REMOTE_WRITE_USER and _PASSWORD, or _TOKEN)',
  );
  option(command, io, '--remote-write-ca <file>', 'certificate authority of that URL (PEM)');
  option(command, io, '--remote-write-labels <labels>', 'labels of each series, such as cluster=west,team=billing');
}

/** Null: the master keeps them. Throws USAGE. */
export function remoteMetricsOf(flags: RemoteMetricsFlags, env: ProcessIo['env']): RemoteMetricsOptions | null {
  const { metrics, metricsOrg: organization, metricsBucket: bucket = 'metrics', metricsCa: ca } = flags;
  if (metrics === undefined) {
    const { metricsOrg, metricsBucket, metricsCa } = flags;
    refuseLonely({ 'metrics-org': metricsOrg, 'metrics-bucket': metricsBucket, 'metrics-ca': metricsCa }, 'metrics');
    return null;
  }
  const store = remoteStore('metrics', { url: metrics, ca, example: EXAMPLE }, env);
  if (store.credentials === null)
    throw new Fault(
      'USAGE',
      '--metrics needs a token of InfluxDB: set YARDMASTER_METRICS_TOKEN, or YARDMASTER_METRICS_TOKEN_FILE to a file that contains it',
    );
  if (!organization) throw new Fault('USAGE', '--metrics needs --metrics-org with the name of the organization');
  if (bucket === '' || bucket.startsWith('_') || bucket.includes('"') || bucket.length > BUCKET_CHARACTERS)
    throw new Fault(
      'USAGE',
      `--metrics-bucket must have 1 to ${BUCKET_CHARACTERS} characters, no quotes, and no underscore at the start`,
    );
  return { ...store, organization, bucket };
}

/** Null: metrics are sent nowhere else. Throws USAGE. */
export function remoteWriteOf(flags: RemoteWriteFlags, env: ProcessIo['env']): RemoteWriteOptions | null {
  const { remoteWrite: url, remoteWriteCa: ca, remoteWriteLabels } = flags;
  if (url === undefined) {
    refuseLonely({ 'remote-write-ca': ca, 'remote-write-labels': remoteWriteLabels }, 'remote-write');
    return null;
  }
  return {
    ...remoteStore('remote-write', { url, ca, example: WRITE_EXAMPLE }, env),
    labels: labelsOf(remoteWriteLabels ?? ''),
  };
}

/** Options that say more about an address which is not given. */
function refuseLonely(given: Readonly<Record<string, string | undefined>>, address: string): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) throw new Fault('USAGE', `--${name} needs --${address} with a URL`);
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const one of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, value] = /^\s*([a-zA-Z_][a-zA-Z0-9_]*)=(.*)$/.exec(one) ?? [];
    if (name === undefined || value === undefined || name.startsWith('__'))
      throw new Fault('USAGE', `--remote-write-labels must be labels such as cluster=west,team=billing, got "${one}"`);
    labels[name] = value.trim();
  }
  return labels;
}
