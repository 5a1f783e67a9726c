import { t } from '../../../../lib/language.ts';

export interface FieldWords {
  readonly label: string;
  readonly help: string;
}

/** What people read at the members of a node and of its configuration. A member that is not here shows its own name and what the schema says of it. */
export function fieldLabels(): Readonly<Record<string, FieldWords>> {
  return {
    name: { label: t('Name'), help: t('Shown to people instead of the id') },
    join: {
      label: t('With several ways in'),
      help: t('An object keyed by predecessor, or the value of the one that ran'),
    },
    retries: { label: t('Retries'), help: t('After a failure that may be retried; 3 where empty') },
    retryBackoffSeconds: {
      label: t('Wait before the first retry'),
      help: t('Doubles with each; 1 second where empty'),
    },
    scheduleTimeoutSeconds: { label: t('Longest wait for a worker'), help: t('5 minutes where empty') },
    runTimeoutSeconds: { label: t('Longest run of one attempt'), help: t('10 minutes where empty') },
    'transform/expression': { label: t('Expression'), help: t('JSONata on the input; its result is the output') },
    'condition/expression': {
      label: t('Condition'),
      help: t('JSONata on the input; what is true, not empty and not 0 goes out over port true'),
    },
    'code/source': {
      label: t('Code'),
      help: t('JavaScript: the body of an async function (input, ctx); what it returns is the output'),
    },
    'code/timeoutSeconds': { label: t('Longest run of the code'), help: t('30 seconds where empty') },
    'template/template': { label: t('Template'), help: t('Text with {{ JSONata }}') },
    'http/method': { label: t('Method'), help: '' },
    'http/url': { label: t('URL'), help: t('May hold {{ JSONata }} and {{ secrets.NAME }}') },
    'http/headers': { label: t('Headers'), help: t('Values may hold {{ JSONata }}') },
    'http/query': { label: t('Query'), help: t('Added to the URL') },
    'http/body': { label: t('Body'), help: t('JSON, or a text in quotes; texts may hold {{ JSONata }}') },
    'http/timeoutSeconds': { label: t('Longest wait for the answer'), help: t('30 seconds where empty') },
    'delay/seconds': { label: t('Wait'), help: t('At most one hour; the worker is held meanwhile') },
    'forEach/items': {
      label: t('List'),
      help: t('JSONata on the input that gives a list; each item is the input of one task'),
    },
    'forEach/node': { label: t('What is done with each item'), help: '' },
    'forEach/concurrency': { label: t('Items at once'), help: t('10 where empty') },
    'forEach/onError': {
      label: t('When an item fails'),
      help: t('Fail the replica, or go on with the error in its place'),
    },
    'workflow/workflowId': { label: t('Workflow'), help: t('The one that is called') },
    'workflow/environment': { label: t('Environment'), help: t('Where it is published') },
    'handler/handler': { label: t('Handler'), help: t('The name under which workers have registered the function') },
  };
}

/** Words for the values of a closed set. */
export function choiceLabels(): Readonly<Record<string, string>> {
  return {
    keyed: t('Object keyed by predecessor'),
    value: t('Value of the one that ran'),
    failFast: t('Fail the replica'),
    collect: t('Collect errors and go on'),
  };
}
