import { LIMITS, type Limits } from './limits.ts';

/** What a limit may be, and which settings can be changed while the master runs. */

const MAY_BE_ZERO: ReadonlySet<string> = new Set<keyof Limits>([
  'queueDepth', 'eventWaitingBytes', 'eventWaitingCalls', 'eventsPerSecondPerKey', 'retries', 'retryJitter', 'retryBackoffSeconds', 'eventWaitSeconds', 'drainSeconds',
  'jobRetentionDays', 'jobRetentionCount', 'auditRetentionDays', 'auditRetentionCount', 'publicationRetentionCount', 'credentialRetentionDays', 'operationRetentionDays', 'httpRedirects', 'bulkReadyTasks',
]);
const MAY_BE_FRACTION = /(Seconds|Days)$|^retryJitter$/;
const MOST: Partial<Record<keyof Limits, number>> = { retryJitter: 1, httpRedirects: 100, delayMaxSeconds: 86_400 };

/** Why a number is none for this limit, as the end of a sentence ("… must be a whole number above 0"); null where it is one. */
export function limitFault(name: keyof Limits, value: unknown): string | null {
  const fraction = MAY_BE_FRACTION.test(name);
  const zero = MAY_BE_ZERO.has(name);
  const most = MOST[name] ?? Number.MAX_SAFE_INTEGER;
  if (typeof value === 'number' && value >= 0 && value <= most && (fraction || Number.isInteger(value)) && (zero || value > 0)) return null;
  return `must be a ${fraction ? 'number' : 'whole number'} ${zero ? 'of at least 0' : 'above 0'}${most === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${most}`}`;
}

/** Limits that are read each time they are needed; all others are taken at the start of the master. */
const LIVE: ReadonlySet<string> = new Set<keyof Limits>([
  'preferWaitSeconds', 'eventInputs', 'eventWaitSeconds', 'idempotencyHours', 'queueDepth', 'eventWaitingBytes', 'eventWaitingCalls', 'eventsPerSecondPerKey', 'retryBackoffMaxSeconds', 'retryJitter', 'taskMessageCharacters',
  'workerForgetSeconds', 'taskOutputBytes', 'payloadPreviewBytes', 'codeMemoryBytes', 'codeTimeoutSeconds', 'codeLogLines', 'expressionSeconds', 'delayMaxSeconds',
  'httpTimeoutSeconds', 'httpBodyBytes', 'httpRedirects', 'workerLogBufferBytes', 'metricsQueuePoints', 'secrets', 'secretBytes', 'definitionBytes',
  'jobRetentionDays', 'jobRetentionCount', 'auditRetentionDays', 'auditRetentionCount', 'publicationRetentionCount', 'credentialRetentionDays', 'operationRetentionDays', 'operationRetentionCount', 'retentionStepMs',
  'retries', 'retryBackoffSeconds', 'scheduleTimeoutSeconds', 'startSeconds', 'eventsPerSecondPerKey', 'bulkIds', 'bulkJobs', 'bulkOperations', 'bulkReadyTasks', 'jobExports', 'logExports', 'logViewRecords', 'logViewCharacters', 'exportStallSeconds', 'childDepth', 'forEachItems',
  'failureGroups', 'failureParts', 'failureMessageCharacters', 'readQueue',
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
