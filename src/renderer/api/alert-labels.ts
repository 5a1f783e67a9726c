import type { Alert, AlertHistory } from '../../contract/alerts.ts';
import { t as inLanguage, type Values } from '../../lib/language.ts';

/** A text of the product, with the values that the master filled in. Said through nothing it is the English that the master stores. */
type Saying = (t: (text: string, values?: Values) => string, values?: Values) => string;

interface RuleWords {
  readonly name: Saying;
  readonly summary: Saying;
  readonly description: Saying;
}

/** What the rules say that come with the product. */
const WORDS: Readonly<Record<string, RuleWords>> = {
  'built-in-cluster-down': {
    name: (t) => t('No worker answers'),
    summary: (t) => t('No worker is responding: no tasks are running'),
    description: (t) =>
      t('Start a worker, or check why the workers are gone. Queued tasks time out at their schedule timeout.'),
  },
  'built-in-worker-down': {
    name: (t) => t('Worker down'),
    summary: (t, values) => t('Worker {url} is not responding', values),
    description: (t, values) => t('No heartbeat for {time}. Its tasks were rescheduled on other workers.', values),
  },
  'built-in-failure-rate': {
    name: (t) => t('Failure rate'),
    summary: (t, values) => t('{share} of task runs of {workflow} fail ({environment})', values),
    description: (t) => t('Over the last 5 minutes, with at least 20 runs.'),
  },
  'built-in-schedule-missed': {
    name: (t) => t('Scheduled job missed'),
    summary: (t, values) => t('Due times of a schedule of {workflow} ({environment}) without a job: {count}', values),
    description: (t) =>
      t('In the last hour. The history of the schedule has the reason of each. Start what is missing with a backfill.'),
  },
  'built-in-schedule-late': {
    name: (t) => t('Scheduled job late'),
    summary: (t, values) => t('Jobs of a schedule of {workflow} ({environment}) that started late: {count}', values),
    description: (t) => t('In the last hour. The master was away or overloaded when they were due.'),
  },
  'built-in-webhook-failing': {
    name: (t) => t('Webhook deliveries failing'),
    summary: (t, values) =>
      t('Deliveries to a webhook of {workflow} ({environment}) that started no job: {count}', values),
    description: (t) =>
      t('In 10 minutes. The deliveries of the webhook have the reason of each. Replay what is missing.'),
  },
  'built-in-webhook-refused': {
    name: (t) => t('Webhook deliveries refused'),
    summary: (t, values) =>
      t('Deliveries to a webhook of {workflow} ({environment}) that could not be verified: {count}', values),
    description: (t) =>
      t('In 10 minutes. The service may have another secret than the webhook, or a stranger knows its address.'),
  },
  'built-in-queue-stuck': {
    name: (t) => t('Queue stuck'),
    summary: (t, values) => t('Tasks queued while none is running: {count}', values),
    description: (t) =>
      t('Workers may be draining, unhealthy or missing a handler. Open “Why is it not running?” on a queued task.'),
  },
  'built-in-store-full': {
    name: (t) => t('Store nearly full'),
    summary: (t, values) => t('The disk of the data folder is {share} full', values),
    description: (t) => t('Writes are rejected once the disk is full. Free up space or shorten retention.'),
  },
  'built-in-pipeline-backlog': {
    name: (t) => t('Pipeline backlog'),
    summary: (t, values) => t('Log lines waiting for the log store: {count}', values),
    description: (t) => t('More lines arrive than can be stored. Lines are dropped once the queue is full.'),
  },
  'built-in-no-standby': {
    name: (t) => t('No standby'),
    summary: (t) => t('No standby could take over from the owner'),
    description: (t) =>
      t('If the owner dies, everything waits until it is back. Start another master with the same store.'),
  },
  'built-in-standby-lag': {
    name: (t) => t('Standby lag'),
    summary: (t, values) => t('Standby {url} is {time} behind', values),
    description: (t) =>
      t('A takeover by it would take that much longer. Check its load, and its connection to PostgreSQL.'),
  },
  'built-in-failover': {
    name: (t) => t('Failover'),
    summary: (t, values) => t('Master {to} took over from {from} ({reason})', values),
    description: (t, values) =>
      t('There was no owner for {seconds} s. Check why the master before it was lost.', values),
  },
  'built-in-append-slow': {
    name: (t) => t('PostgreSQL slow'),
    summary: (t, values) => t('An append to the journal takes {ms} ms', values),
    description: (t) =>
      t('Every call waits for it. Check the load, the disk and the synchronous replicas of PostgreSQL.'),
  },
  'built-in-master-diverged': {
    name: (t) => t('Master diverged'),
    summary: (t, values) => t('Master {url} differs from the journal', values),
    description: (t) =>
      t('It cannot take over and rebuilds itself. If it happens again, check its disk and its version.'),
  },
  'built-in-projection-lag': {
    name: (t) => t('Tables for SQL behind'),
    summary: (t, values) => t('The tables for SQL are {time} behind', values),
    description: (t) => t('Reports show old data. Check the load of the master that writes them, and of PostgreSQL.'),
  },
  'built-in-projection-stopped': {
    name: (t) => t('Tables for SQL stopped'),
    summary: (t) => t('The tables for SQL are not being written'),
    description: (t) => t('Reports show old data; calls are not affected. The page Cluster has the reason.'),
  },
  'built-in-approvals': {
    name: (t) => t('Approved alone or expired'),
    summary: (t, values) => t('Approval requests in one hour without a second person: {count} ({reason})', values),
    description: (t) =>
      t(
        'alone: somebody approved alone, or turned protection off with the master’s own token. expired: nobody decided in time. Approvals and the audit log have the names.',
      ),
  },
  'built-in-approval-waiting': {
    name: (t) => t('Approval waiting'),
    summary: (t, values) => t('{workflow} is waiting for an approval: {title}', values),
    description: (t) => t('Decide it on the page Approvals, or with `yardmaster approvals`.'),
  },
  'built-in-wrong-credentials': {
    name: (t) => t('Wrong credentials'),
    summary: (t, values) => t('Wrong tokens, keys or sign-in codes in 5 minutes: {count}', values),
    description: (t) =>
      t(
        'Somebody is guessing, or a program goes on with a token that was revoked. The audit log has the addresses (token.refused, session.refused).',
      ),
  },
  'built-in-log-senders-refused': {
    name: (t) => t('Log senders refused'),
    summary: (t, values) => t('Senders or lines that the log port refused in 5 minutes: {count} ({reason})', values),
    description: (t) =>
      t(
        'limit: too many or silent connections. token: a missing or wrong token. http: a web page or another stranger. forged: lines of a worker that name a job, task or worker that is not its own.',
      ),
  },
  'built-in-target-behind': {
    name: (t) => t('Remote target behind'),
    summary: (t, values) => t('{target} is {time} behind ({address})', values),
    description: (t) =>
      t(
        'It cannot be reached, or takes less than is sent. Data waits, and is dropped once the queue is full. Settings, About has the reason.',
      ),
  },
  'built-in-target-losing': {
    name: (t) => t('Remote target losing data'),
    summary: (t, values) => t('Records for {target} lost in 10 minutes: {count} ({address})', values),
    description: (t) => t('They were rejected, or the queue was full. Settings, About has the reason.'),
  },
  'built-in-damaged-data': {
    name: (t) => t('Damaged data'),
    summary: (t, values) => t('Damaged parts of the stored data: {count}', values),
    description: (t) =>
      t(
        'What cannot be read for certain is not shown. The overview lists it. Check the disk, then restore it from a backup with yardmaster repair.',
      ),
  },
};

/** The text as the reader's language says it; as it is where somebody gave the rule another one. */
function inWords(saying: Saying, text: string): string {
  const english = saying((itself) => itself).replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  const said = new RegExp(`^${english.replace(/\{(\w+)\}/g, '(?<$1>.*)')}$`, 's').exec(text);
  return said === null ? text : saying(inLanguage, said.groups);
}

/** The name of a rule as it is shown. Labels and matchers keep the one that it is stored under. */
export function ruleLabel(id: string | null, name: string): string {
  const own = id === null ? undefined : WORDS[id];
  return own === undefined ? name : inWords(own.name, name);
}

/** An alert as it is shown: what a rule of the product says about it in the reader's language. */
export function translatedAlert<A extends Pick<Alert, 'ruleId' | 'ruleName' | 'annotations'>>(alert: A): A {
  const own = WORDS[alert.ruleId];
  if (own === undefined) return alert;
  const { summary, description } = alert.annotations;
  return {
    ...alert,
    ruleName: inWords(own.name, alert.ruleName),
    annotations: {
      ...alert.annotations,
      ...(summary !== undefined && { summary: inWords(own.summary, summary) }),
      ...(description !== undefined && { description: inWords(own.description, description) }),
    },
  };
}

/** A line of the history as it is shown. */
export const translatedHistory = (entry: AlertHistory): AlertHistory =>
  entry.ruleName === null ? entry : { ...entry, ruleName: ruleLabel(entry.ruleId, entry.ruleName) };
