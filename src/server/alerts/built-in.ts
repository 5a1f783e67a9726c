import type { Inhibition, PolicyBody } from '../../contract/alert-channels.ts';
import type { RuleConfig } from '../../contract/alert-rules.ts';

/**
 * Rules that come with the product: they can be changed and switched off, never deleted. The key is their id. A number that
 * is counted stands behind what it counts, because a template has no plural.
 */
export const BUILT_IN_RULES: Readonly<Record<string, RuleConfig>> = {
  'built-in-cluster-down': {
    ...base('No worker answers', 'workersUp', { op: 'lt', value: 1 }),
    forSeconds: 15,
    severity: 'critical',
    annotations: {
      summary: 'No worker is responding: no tasks are running',
      description:
        'Start a worker, or check why the workers are gone. Queued tasks time out at their schedule timeout.',
    },
  },
  'built-in-worker-down': {
    ...base('Worker down', 'workersLost', { op: 'gt', value: 0 }),
    forSeconds: 30,
    severity: 'error',
    annotations: {
      summary: 'Worker {{ $labels.url }} is not responding',
      description: 'No heartbeat for {{ $value | seconds }}. Its tasks were rescheduled on other workers.',
    },
  },
  'built-in-failure-rate': {
    ...base('Failure rate', 'failureRate', { op: 'gt', value: 0.2 }),
    rangeSeconds: 300,
    forSeconds: 60,
    keepFiringSeconds: 60,
    intervalSeconds: 15,
    severity: 'error',
    annotations: {
      summary: '{{ $value | percent }} of task runs of {{ $labels.workflow_id }} fail ({{ $labels.environment }})',
      description: 'Over the last 5 minutes, with at least 20 runs.',
    },
  },
  'built-in-schedule-missed': {
    ...base('Scheduled job missed', 'schedulesMissed', { op: 'gt', value: 0 }),
    rangeSeconds: 3600,
    intervalSeconds: 15,
    severity: 'error',
    annotations: {
      summary:
        'Due times of a schedule of {{ $labels.workflow_id }} ({{ $labels.environment }}) without a job: {{ $value }}',
      description:
        'In the last hour. The history of the schedule has the reason of each. Start what is missing with a backfill.',
    },
  },
  'built-in-schedule-late': {
    ...base('Scheduled job late', 'schedulesLate', { op: 'gt', value: 0 }),
    rangeSeconds: 3600,
    intervalSeconds: 15,
    severity: 'warning',
    annotations: {
      summary:
        'Jobs of a schedule of {{ $labels.workflow_id }} ({{ $labels.environment }}) that started late: {{ $value }}',
      description: 'In the last hour. The master was away or overloaded when they were due.',
    },
  },
  'built-in-webhook-failing': {
    ...base('Webhook deliveries failing', 'webhooksFailing', { op: 'gt', value: 0 }),
    rangeSeconds: 600,
    intervalSeconds: 15,
    severity: 'error',
    annotations: {
      summary:
        'Deliveries to a webhook of {{ $labels.workflow_id }} ({{ $labels.environment }}) that started no job: {{ $value }}',
      description: 'In 10 minutes. The deliveries of the webhook have the reason of each. Replay what is missing.',
    },
  },
  'built-in-webhook-refused': {
    ...base('Webhook deliveries refused', 'webhooksRefused', { op: 'gt', value: 10 }),
    rangeSeconds: 600,
    intervalSeconds: 15,
    severity: 'warning',
    annotations: {
      summary:
        'Deliveries to a webhook of {{ $labels.workflow_id }} ({{ $labels.environment }}) that could not be verified: {{ $value }}',
      description:
        'In 10 minutes. The service may have another secret than the webhook, or a stranger knows its address.',
    },
  },
  'built-in-queue-stuck': {
    ...base('Queue stuck', 'tasksStuck', { op: 'gt', value: 0 }),
    forSeconds: 60,
    severity: 'error',
    annotations: {
      summary: 'Tasks queued while none is running: {{ $value }}',
      description:
        'Workers may be draining, unhealthy or missing a handler. Open “Why is it not running?” on a queued task.',
    },
  },
  'built-in-store-full': {
    ...base('Store nearly full', 'diskUsed', { op: 'gt', value: 0.95 }),
    forSeconds: 60,
    intervalSeconds: 30,
    severity: 'critical',
    annotations: {
      summary: 'The disk of the data folder is {{ $value | percent }} full',
      description: 'Writes are rejected once the disk is full. Free up space or shorten retention.',
    },
  },
  'built-in-pipeline-backlog': {
    ...base('Pipeline backlog', 'pipelineBacklog', { op: 'gt', value: 50_000 }),
    forSeconds: 60,
    severity: 'warning',
    annotations: {
      summary: 'Log lines waiting for the log store: {{ $value }}',
      description: 'More lines arrive than can be stored. Lines are dropped once the queue is full.',
    },
  },
  'built-in-target-behind': {
    ...base('Remote target behind', 'targetsBehind', { op: 'gt', value: 60 }),
    forSeconds: 60,
    severity: 'warning',
    annotations: {
      summary: '{{ $labels.target }} is {{ $value | seconds }} behind ({{ $labels.address }})',
      description:
        'It cannot be reached, or takes less than is sent. Data waits, and is dropped once the queue is full. Settings, About has the reason.',
    },
  },
  'built-in-target-losing': {
    ...base('Remote target losing data', 'targetsLosing', { op: 'gt', value: 0 }),
    rangeSeconds: 600,
    keepFiringSeconds: 300,
    severity: 'error',
    annotations: {
      summary: 'Records for {{ $labels.target }} lost in 10 minutes: {{ $value }} ({{ $labels.address }})',
      description: 'They were rejected, or the queue was full. Settings, About has the reason.',
    },
  },
  'built-in-no-standby': {
    ...base('No standby', 'clusterStandbys', { op: 'lt', value: 1 }),
    forSeconds: 60,
    onError: 'KeepLast',
    severity: 'error',
    annotations: {
      summary: 'No standby could take over from the owner',
      description: 'If the owner dies, everything waits until it is back. Start another master with the same store.',
    },
  },
  'built-in-standby-lag': {
    ...base('Standby lag', 'clusterLag', { op: 'gt', value: 10 }),
    forSeconds: 30,
    onError: 'KeepLast',
    severity: 'warning',
    annotations: {
      summary: 'Standby {{ $labels.url }} is {{ $value | seconds }} behind',
      description: 'A takeover by it would take that much longer. Check its load, and its connection to PostgreSQL.',
    },
  },
  'built-in-failover': {
    ...base('Failover', 'clusterFailovers', { op: 'ge', value: 0 }),
    rangeSeconds: 600,
    onError: 'KeepLast',
    severity: 'warning',
    annotations: {
      summary: 'Master {{ $labels.to }} took over from {{ $labels.from }} ({{ $labels.reason }})',
      description: 'There was no owner for {{ $value }} s. Check why the master before it was lost.',
    },
  },
  'built-in-append-slow': {
    ...base('PostgreSQL slow', 'clusterAppend', { op: 'gt', value: 250 }),
    forSeconds: 30,
    severity: 'error',
    annotations: {
      summary: 'An append to the journal takes {{ $value | round }} ms',
      description: 'Every call waits for it. Check the load, the disk and the synchronous replicas of PostgreSQL.',
    },
  },
  'built-in-master-diverged': {
    ...base('Master diverged', 'clusterDiverged', { op: 'gt', value: 0 }),
    onError: 'KeepLast',
    severity: 'error',
    annotations: {
      summary: 'Master {{ $labels.url }} differs from the journal',
      description: 'It cannot take over and rebuilds itself. If it happens again, check its disk and its version.',
    },
  },
  'built-in-projection-lag': {
    ...base('Tables for SQL behind', 'clusterProjectionLag', { op: 'gt', value: 60 }),
    forSeconds: 60,
    onError: 'KeepLast',
    severity: 'warning',
    annotations: {
      summary: 'The tables for SQL are {{ $value | seconds }} behind',
      description: 'Reports show old data. Check the load of the master that writes them, and of PostgreSQL.',
    },
  },
  'built-in-projection-stopped': {
    ...base('Tables for SQL stopped', 'clusterProjectionStopped', { op: 'gt', value: 0 }),
    forSeconds: 60,
    onError: 'KeepLast',
    severity: 'error',
    annotations: {
      summary: 'The tables for SQL are not being written',
      description: 'Reports show old data; calls are not affected. The page Cluster has the reason.',
    },
  },
  'built-in-wrong-credentials': {
    ...base('Wrong credentials', 'wrongCredentials', { op: 'gt', value: 100 }),
    rangeSeconds: 300,
    intervalSeconds: 30,
    keepFiringSeconds: 300,
    severity: 'warning',
    annotations: {
      summary: 'Wrong tokens, keys or sign-in codes in 5 minutes: {{ $value }}',
      description:
        'Somebody is guessing, or a program goes on with a token that was revoked. The audit log has the addresses (token.refused, session.refused).',
    },
  },
  'built-in-log-senders-refused': {
    ...base('Log senders refused', 'sendersRefused', { op: 'gt', value: 10 }),
    rangeSeconds: 300,
    intervalSeconds: 30,
    keepFiringSeconds: 300,
    severity: 'warning',
    annotations: {
      summary: 'Senders or lines that the log port refused in 5 minutes: {{ $value }} ({{ $labels.reason }})',
      description:
        'limit: too many or silent connections. token: a missing or wrong token. http: a web page or another stranger. forged: lines of a worker that name a job, task or worker that is not its own.',
    },
  },
  'built-in-approvals': {
    ...base('Approved alone or expired', 'approvalsWatched', { op: 'gt', value: 0 }),
    rangeSeconds: 3600,
    intervalSeconds: 30,
    severity: 'warning',
    annotations: {
      summary: 'Approval requests in one hour without a second person: {{ $value }} ({{ $labels.reason }})',
      description:
        'alone: somebody approved alone, or turned protection off with the master’s own token. expired: nobody decided in time. Approvals and the audit log have the names.',
    },
  },
  'built-in-approval-waiting': {
    ...base('Approval waiting', 'approvalsWaiting', { op: 'ge', value: 0 }),
    severity: 'info',
    annotations: {
      summary: '{{ $labels.workflow_id }} is waiting for an approval: {{ $labels.title }}',
      description: 'Decide it on the page Approvals, or with `yardmaster approvals`.',
    },
  },
  'built-in-damaged-data': {
    ...base('Damaged data', 'damagedData', { op: 'gt', value: 0 }),
    onError: 'KeepLast',
    severity: 'critical',
    annotations: {
      summary: 'Damaged parts of the stored data: {{ $value }}',
      description:
        'What cannot be read for certain is not shown. The overview lists it. Check the disk, then restore it from a backup with yardmaster repair.',
    },
  },
};

/** What built-in rules said before: a rule that was changed is stored whole, and one that still says so takes the new text. */
export const OUTDATED_ANNOTATIONS: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> = {
  'built-in-cluster-down': {
    summary: 'No worker answers: no task runs',
    description: 'Start a worker, or look why they are gone: tasks wait until their schedule time is over.',
  },
  'built-in-worker-down': {
    summary: 'Worker {{ $labels.url }} does not answer',
    description:
      'It fell silent without a goodbye {{ $value | seconds }} ago. What it ran was taken back and runs elsewhere.',
  },
  'built-in-failure-rate': {
    summary: '{{ $value | percent }} of the task runs of {{ $labels.workflow_id }} fail ({{ $labels.environment }})',
    description: 'Of its runs in the last five minutes, at least 20.',
  },
  'built-in-schedule-missed': {
    summary:
      '{{ $value }} due times of a schedule of {{ $labels.workflow_id }} ({{ $labels.environment }}) have no job',
  },
  'built-in-schedule-late': {
    summary: '{{ $value }} jobs of a schedule of {{ $labels.workflow_id }} ({{ $labels.environment }}) started late',
  },
  'built-in-webhook-failing': {
    summary:
      '{{ $value }} deliveries to a webhook of {{ $labels.workflow_id }} ({{ $labels.environment }}) started no job',
  },
  'built-in-webhook-refused': {
    summary:
      '{{ $value }} deliveries to a webhook of {{ $labels.workflow_id }} ({{ $labels.environment }}) could not be verified',
  },
  'built-in-queue-stuck': {
    summary: ['{{ $value }} tasks wait and none runs', '{{ $value }} tasks queued, none running'],
    description: 'Workers may be drained or unhealthy, or lack a handler. `why` of a waiting task tells.',
  },
  'built-in-store-full': {
    description: 'Writes are refused once it is full: free space, or lower the limits of retention.',
  },
  'built-in-pipeline-backlog': {
    summary: ['{{ $value }} log lines wait for the log store', '{{ $value }} log lines are waiting for the log store'],
    description: 'More come in than are stored. Lines are dropped once the queue is full.',
  },
  'built-in-target-losing': {
    summary: '{{ $value }} records for {{ $labels.target }} were lost in 10 minutes ({{ $labels.address }})',
  },
  'built-in-wrong-credentials': { summary: '{{ $value }} wrong tokens, keys or sign-in codes in 5 minutes' },
  'built-in-log-senders-refused': {
    summary: 'The log port refused {{ $value }} senders or lines in 5 minutes ({{ $labels.reason }})',
  },
  'built-in-approvals': {
    summary: '{{ $value }} approval requests in one hour without a second person ({{ $labels.reason }})',
  },
  'built-in-damaged-data': { summary: '{{ $value }} damaged parts of the stored data' },
};

function base(
  name: string,
  signal: Extract<RuleConfig['query'], { source: 'engine' }>['signal'],
  threshold: RuleConfig['threshold'],
): RuleConfig {
  return {
    name,
    group: 'built-in',
    query: { source: 'engine', signal },
    rangeSeconds: 60,
    reducer: 'last',
    threshold,
    intervalSeconds: 10,
    forSeconds: 0,
    keepFiringSeconds: 0,
    noData: 'OK',
    onError: 'Error',
    severity: 'warning',
    labels: {},
    annotations: {},
    enabled: true,
  };
}

const named = (value: string): Inhibition['source'] => [{ name: 'alertname', op: '=', value }];

/** Where no worker answers, what follows from it is held back. */
export const BUILT_IN_INHIBITIONS: readonly Inhibition[] = [
  {
    source: named('No worker answers'),
    target: [{ name: 'alertname', op: '=~', value: 'Worker down|Queue stuck|Failure rate' }],
    equal: [],
  },
];

export const DESKTOP_CHANNEL = 'desktop';

export const DEFAULT_POLICY: Required<
  Pick<PolicyBody, 'channels' | 'groupBy' | 'groupWaitSeconds' | 'groupIntervalSeconds' | 'repeatIntervalSeconds'>
> = {
  channels: [DESKTOP_CHANNEL],
  groupBy: ['alertname'],
  groupWaitSeconds: 30,
  groupIntervalSeconds: 300,
  repeatIntervalSeconds: 14_400,
};
