import type { AlertRule } from '../../../contract/alert-rules.ts';
import type { Dashboard } from '../../../contract/dashboards.ts';
import { grafanaDashboard, LOGS_UID, METRICS_UID } from './dashboard.ts';
import { grafanaRules } from './rules.ts';

export interface GrafanaOptions {
  readonly dashboards: readonly Dashboard[];
  readonly rules: readonly AlertRule[];
  readonly metricsUrl: string;
  readonly logsUrl: string;
}

const ORGANIZATION = 'yardmaster';
const BUCKET = 'metrics';

/** A folder of provisioning files. They are JSON, which YAML takes in. The token of the metrics is read from the environment of Grafana. */
export function grafanaFiles({
  dashboards,
  rules,
  metricsUrl,
  logsUrl,
}: GrafanaOptions): { path: string; content: string }[] {
  const { groups, left } = grafanaRules(rules);
  const yaml = (path: string, value: object) => ({
    path,
    content: `${JSON.stringify({ apiVersion: 1, ...value }, null, 2)}\n`,
  });
  return [
    ...dashboards.map((dashboard) => ({
      path: `dashboards/${dashboard.id}.json`,
      content: `${JSON.stringify(grafanaDashboard(dashboard), null, 2)}\n`,
    })),
    yaml('provisioning/datasources/yardmaster.yaml', {
      datasources: [
        {
          name: 'Yardmaster metrics',
          uid: METRICS_UID,
          type: 'influxdb',
          access: 'proxy',
          url: metricsUrl,
          jsonData: { version: 'Flux', organization: ORGANIZATION, defaultBucket: BUCKET },
          secureJsonData: { token: '$YARDMASTER_TOKEN' },
        },
        {
          name: 'Yardmaster logs',
          uid: LOGS_UID,
          type: 'victoriametrics-logs-datasource',
          access: 'proxy',
          url: logsUrl,
          jsonData: { httpHeaderName1: 'Authorization' },
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
    { path: 'README.md', content: readme(left) },
  ];
}

const readme = (left: readonly AlertRule[]): string => `# Yardmaster in Grafana

1. Copy \`provisioning/\` into Grafana's provisioning folder (\`/etc/grafana/provisioning\`) and \`dashboards/\` to \`/etc/grafana/yardmaster/dashboards\`.
2. Set \`YARDMASTER_TOKEN\` in the environment of Grafana: a token of role viewer (\`yardmaster tokens create --name grafana --role viewer\`).
3. Install the plugin of the logs: \`grafana cli plugins install victoriametrics-logs-datasource\`.
4. Start Grafana again. The dashboards are in the folder Yardmaster.
${left.length === 0 ? '' : `\nThese rules are not exported, because they query neither metrics nor logs: ${left.map(({ name }) => name).join(', ')}.\n`}`;
