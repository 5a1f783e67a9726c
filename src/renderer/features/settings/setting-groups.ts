import { t } from '../../../lib/language.ts';

/** Groups of settings in the order in which they are shown. A setting is in the first that its name fits. */
const GROUPS = [
  [
    'retention',
    /[rR]etention|^dataCheck|^idempotencyHours$|^workerForget|^alertHistory|^(logStore|metricsStore|logReserve)Bytes$|Kept$|^webhook(Deliveries|Refusals)$|^draftRunKeep/,
  ],
  ['calls', /^(body|json|batch|heavy|event|prefer|queueDepth|labels$|schema)/],
  ['people', /^(wrong|user|password|oneTime|passkey|oidc|device|projects$|customRoles|grants|audit|session|secret)/],
  ['webhooks', /^(webhook|schedules$|schedule(Run|Backfill|Start|Late))/],
  ['tests', /^(shadow|draft|workflowTest)/],
  ['bulk', /^(bulk|approv|operation|protected|requireTests|jobExports|export)/],
  ['logs', /^(log(?!sLink)|remoteLog|pipeline)/],
  ['metrics', /^(metrics|influx|flux|remoteWrite|otlp)/],
  ['alerts', /^alert/],
  ['search', /^(failure|search|compare|incident|read)/],
  ['cluster', /^(postgres|owner|forward|replica|journal|snapshot)/],
  [
    'tasks',
    /^(retr|schedule|start|lease|runTimeout|heartbeat|worker|forEach|child|task|job|payload|code|expression|masterExpression|delay|http|wait|signal|drain|definition|runnable)/,
  ],
  ['console', /^/],
] as const;
export type SettingGroup = (typeof GROUPS)[number][0];

export const SETTING_GROUPS: readonly SettingGroup[] = GROUPS.map(([group]) => group);

export const SETTING_GROUP_NAMES: Readonly<Record<SettingGroup, string>> = {
  retention: t('Retention and disk'),
  calls: t('Calls and inputs'),
  tasks: t('Workers and tasks'),
  people: t('People and access'),
  webhooks: t('Webhooks and schedules'),
  tests: t('Drafts, tests, backtests'),
  bulk: t('Bulk and approvals'),
  logs: t('Logs'),
  metrics: t('Metrics'),
  alerts: t('Alerts'),
  search: t('Search and analysis'),
  cluster: t('Cluster'),
  console: t('Console and links'),
};

export const settingGroup = (name: string): SettingGroup =>
  GROUPS.find(([, names]) => names.test(name))?.[0] ?? 'console';
