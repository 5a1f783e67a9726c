import { LIMIT_BOUNDS, LIMIT_ORDER } from './limit-bounds.ts';
import { LIMITS, type Limits } from './limits.ts';

/** What a limit may be, and which settings can be changed while the master runs. */

const MAY_BE_FRACTION = /(Seconds|Days)$|^retryJitter$/;

/** Why a number is none for this limit, as the end of a sentence ("… must be a whole number from 1 to 500"); null where it is one. */
export function limitFault(name: keyof Limits, value: unknown): string | null {
  const fraction = MAY_BE_FRACTION.test(name);
  const [least, most, or] = LIMIT_BOUNDS[name];
  if (
    typeof value === 'number' &&
    ((value >= least && value <= most) || value === or) &&
    (fraction || Number.isInteger(value))
  )
    return null;
  return `must be a ${fraction ? 'number' : 'whole number'} from ${least} to ${most}${or === undefined ? '' : `, or ${or}`}`;
}

/** Limits of `changed` that do not fit with others, given all as they would be: why, as the end of a sentence. */
export function orderFaults(
  all: Readonly<Record<string, unknown>>,
  changed: ReadonlySet<string>,
): { name: string; message: string }[] {
  return LIMIT_ORDER.flatMap(([lesser, greater]) => {
    if (Number(all[lesser]) <= Number(all[greater])) return [];
    if (changed.has(lesser))
      return [{ name: lesser, message: `must be at most ${greater}, which is ${String(all[greater])}` }];
    return changed.has(greater)
      ? [{ name: greater, message: `must be at least ${lesser}, which is ${String(all[lesser])}` }]
      : [];
  });
}

/** Limits that are read each time they are needed; all others are taken at the start of the master. */
const LIVE: ReadonlySet<string> = new Set<keyof Limits>([
  'preferWaitSeconds',
  'eventInputs',
  'eventWaitSeconds',
  'idempotencyHours',
  'queueDepth',
  'eventWaitingBytes',
  'eventWaitingCalls',
  'eventsPerSecondPerKey',
  'retryBackoffMaxSeconds',
  'retryAfterMaxSeconds',
  'retryJitter',
  'taskMessageCharacters',
  'workerForgetSeconds',
  'taskOutputBytes',
  'payloadPreviewBytes',
  'codeMemoryBytes',
  'codeTimeoutSeconds',
  'codeLogLines',
  'expressionSeconds',
  'delayMaxSeconds',
  'httpTimeoutSeconds',
  'httpBodyBytes',
  'httpRedirects',
  'workerLogBufferBytes',
  'metricsQueuePoints',
  'metricsStoreBytes',
  'metricsRetentionDays',
  'metricsRollupRetentionDays',
  'metricsSeries',
  'metricsFields',
  'metricsQuerySeconds',
  'metricsQueryValues',
  'metricsQueryBytes',
  'metricsQueries',
  'influxBodyBytes',
  'influxHeldBytes',
  'fluxQueryBytes',
  'fluxQueries',
  'secrets',
  'secretBytes',
  'definitionBytes',
  'jobRetentionDays',
  'jobRetentionCount',
  'auditRetentionDays',
  'auditRetentionCount',
  'publicationRetentionCount',
  'credentialRetentionDays',
  'operationRetentionDays',
  'operationRetentionCount',
  'retentionStepMs',
  'retries',
  'retryBackoffSeconds',
  'scheduleTimeoutSeconds',
  'startSeconds',
  'leaseCheckSeconds',
  'eventsPerSecondPerKey',
  'bulkIds',
  'bulkJobs',
  'bulkOperations',
  'bulkReadyTasks',
  'bulkCheckSeconds',
  'jobExports',
  'logExports',
  'logViewRecords',
  'logViewCharacters',
  'logStoreBytes',
  'logRetentionDays',
  'exportStallSeconds',
  'childDepth',
  'forEachItems',
  'failureGroups',
  'failureParts',
  'failureMessageCharacters',
  'readQueue',
  'alertRules',
  'alertInstances',
  'alertQuerySeconds',
  'alertConcurrency',
  'alertSilences',
  'alertChannels',
  'alertMessageAlerts',
  'alertSenders',
  'alertSendSeconds',
  'alertRetrySeconds',
  'alertRetryMaxSeconds',
  'alertHistoryDays',
  'alertHistoryCount',
  'dashboards',
]);
export const isLive = (name: string): boolean => LIVE.has(name) || Object.hasOwn(OTHER_SETTINGS, name);

/** Settings that are no number. */
export interface OtherSettings {
  /** What becomes of a job whose time is over: it is deleted, or first written to `<data>/archive`. */
  jobRetentionMode: 'delete' | 'archive';
  /** Hosts, addresses and ranges (CIDR) within private networks that `http` nodes may call. */
  httpAllow: readonly string[];
}
export const OTHER_SETTINGS: OtherSettings = { jobRetentionMode: 'delete', httpAllow: [] };
export const RETENTION_MODES = ['delete', 'archive'] as const;

export const isLimit = (name: string): name is keyof Limits => Object.hasOwn(LIMITS, name);
