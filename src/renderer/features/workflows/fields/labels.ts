import { t } from '../../../../lib/language.ts';

export interface FieldWords {
  readonly label: string;
  readonly help: string;
}

/** What people read at the members of a node and of its configuration. A member that is not here shows its own name and what the schema says of it. */
export function fieldLabels(): Readonly<Record<string, FieldWords>> {
  return {
    name: { label: t('Name'), help: t('Shown instead of the ID') },
    join: {
      label: t('With several inputs'),
      help: t('An object keyed by predecessor, or the value of the one that ran'),
    },
    retries: { label: t('Retries'), help: t('After retryable errors (default 3)') },
    retryBackoffSeconds: {
      label: t('Initial retry backoff'),
      help: t('Doubles with each retry (default 1 s)'),
    },
    scheduleTimeoutSeconds: { label: t('Schedule timeout'), help: t('Max. wait for a worker (default 5 min)') },
    runTimeoutSeconds: { label: t('Run timeout'), help: t('Per attempt (default 10 min)') },
    'transform/expression': { label: t('Expression'), help: t('JSONata on the input; the result is the output') },
    'condition/expression': {
      label: t('Condition'),
      help: t('JSONata on the input. Truthy results (not empty, not 0) take the branch true'),
    },
    'code/source': {
      label: t('Code'),
      help: t('JavaScript: body of an async function (input, ctx). The return value is the output'),
    },
    'code/timeoutSeconds': { label: t('Timeout'), help: t('Default 30 s') },
    'template/template': { label: t('Template'), help: t('Text with {{ JSONata }}') },
    'http/method': { label: t('Method'), help: '' },
    'http/url': { label: t('URL'), help: t('Supports {{ JSONata }} and {{ secrets.NAME }}') },
    'http/headers': { label: t('Headers'), help: t('Values support {{ JSONata }}') },
    'http/query': { label: t('Query'), help: t('Added to the URL') },
    'http/body': { label: t('Body'), help: t('JSON, or a string in quotes; strings support {{ JSONata }}') },
    'http/timeoutSeconds': { label: t('Response timeout'), help: t('Default 30 s') },
    'delay/seconds': { label: t('Delay'), help: t('Max. 1 hour. The worker slot stays occupied') },
    'forEach/items': {
      label: t('List'),
      help: t('JSONata on the input that returns an array; each item is the input of one task'),
    },
    'forEach/node': { label: t('What to run for each item'), help: '' },
    'forEach/concurrency': { label: t('Max. concurrency'), help: t('Default 10') },
    'forEach/onError': {
      label: t('If an item fails'),
      help: t("Fail the replica, or continue with the error as the item's result"),
    },
    'workflow/workflowId': { label: t('Workflow'), help: t('Workflow to call') },
    'workflow/environment': { label: t('Environment'), help: t('Environment of the called workflow') },
    'handler/handler': { label: t('Handler'), help: t('Name of the function registered by workers') },
  };
}

/** Words for the values of a closed set. */
export function choiceLabels(): Readonly<Record<string, string>> {
  return {
    keyed: t('Object keyed by predecessor'),
    value: t('Value of the one that ran'),
    failFast: t('Fail the replica'),
    collect: t('Collect errors and continue'),
  };
}
