import type { AlertRule } from '../../../contract/alert-rules.ts';
import type { Dashboard } from '../../../contract/dashboards.ts';
import { bucketNames } from '../../../lib/influxdb/buckets.ts';
import { grafanaDashboard, LOGS_UID, METRICS_UID } from './dashboard.ts';
import { OWN_BUCKETS } from './flux.ts';
import { logLinks } from './links.ts';
import { grafanaRules } from './rules.ts';

export interface GrafanaOptions {
  readonly dashboards: readonly Dashboard[];
  readonly rules: readonly AlertRule[];
  readonly metricsUrl: string;
  readonly logsUrl: string;
  /** Base URL of the console that dashboards link to; null: they do not. */
  readonly consoleUrl: string | null;
  /** The InfluxDB that the master keeps metrics in; null: its own store has them. */
  readonly influxdb: { readonly organization: string; readonly bucket: string } | null;
}

/**
 * A folder of provisioning files. They are JSON, which YAML takes in. Tokens are read from the environment of Grafana: that
 * of the master, and of an InfluxDB another one.
 */
export function grafanaFiles({
  dashboards,
  rules,
  metricsUrl,
  logsUrl,
  consoleUrl,
  influxdb,
}: GrafanaOptions): { path: string; content: string }[] {
  const named = influxdb && bucketNames(influxdb.bucket);
  const buckets = named ? { all: named.all, jobs: named.jobs } : OWN_BUCKETS;
  const { groups, left } = grafanaRules(rules, buckets);
  const derivedFields = logLinks(consoleUrl);
  const yaml = (path: string, value: object) => ({
    path,
    content: `${JSON.stringify({ apiVersion: 1, ...value }, null, 2)}\n`,
  });
  return [
    ...dashboards.map((dashboard) => ({
      path: `dashboards/${dashboard.id}.json`,
      content: `${JSON.stringify(grafanaDashboard(dashboard, { buckets, consoleUrl }), null, 2)}\n`,
    })),
    yaml('provisioning/datasources/yardmaster.yaml', {
      datasources: [
        {
          name: 'Yardmaster metrics',
          uid: METRICS_UID,
          type: 'influxdb',
          access: 'proxy',
          url: metricsUrl,
          jsonData: {
            version: 'Flux',
            organization: influxdb?.organization ?? 'yardmaster',
            defaultBucket: buckets.all,
          },
          secureJsonData: { token: influxdb ? '$YARDMASTER_INFLUXDB_TOKEN' : '$YARDMASTER_TOKEN' },
        },
        {
          name: 'Yardmaster logs',
          uid: LOGS_UID,
          type: 'victoriametrics-logs-datasource',
          access: 'proxy',
          url: logsUrl,
          jsonData: {
            httpHeaderName1: 'Authorization',
            ...(derivedFields.length > 0 ? { derivedFields } : {}),
          },
          secureJsonData: { httpHeaderValue1: 'Bearer $YARDMASTER_TOKEN' },
        },
      ],
    }),
    yaml('provisioning/dashboards/yardmaster.yaml', {
      providers: [
        {
          name: 'yardmaster',
          folder: 'Yardmaster',
          type: 'file',
          options: { path: '/etc/grafana/yardmaster/dashboards' },
        },
      ],
    }),
    ...(groups.length > 0 ? [yaml('provisioning/alerting/yardmaster.yaml', { groups })] : []),
    { path: 'README.md', content: readme(left, influxdb !== null) },
  ];
}

const readme = (left: readonly AlertRule[], isInfluxdb: boolean): string => `# Yardmaster in Grafana

1. Copy \`provisioning/\` into Grafana's provisioning folder (\`/etc/grafana/provisioning\`) and \`dashboards/\` to \`/etc/grafana/yardmaster/dashboards\`.
2. Set \`YARDMASTER_TOKEN\` in the environment of Grafana: a token of role viewer (\`yardmaster tokens create --name grafana --role viewer\`).${isInfluxdb ? ' Set `YARDMASTER_INFLUXDB_TOKEN` too: a token of InfluxDB that may read the buckets.' : ''}
3. Install the plugin of the logs: \`grafana cli plugins install victoriametrics-logs-datasource\`.
4. Start Grafana again. The dashboards are in the folder Yardmaster.
${left.length === 0 ? '' : `\nThese rules are not exported, because they query neither metrics nor logs: ${left.map(({ name }) => name).join(', ')}.\n`}`;
