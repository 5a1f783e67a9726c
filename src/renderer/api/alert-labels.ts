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
  'built-in-queue-stuck': {
    name: (t) => t('Queue stuck'),
    summary: (t, values) => t('{count} tasks queued, none running', values),
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
    summary: (t, values) => t('{count} log lines are waiting for the log store', values),
    description: (t) => t('More lines arrive than can be stored. Lines are dropped once the queue is full.'),
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
