import type { Route } from '../../../contract/shapes.ts';
import type { OperationKind } from '../../../contract/vocabulary.ts';
import { quoteForShell } from '../../../lib/shell-quote.ts';
import { t } from '../../../lib/language.ts';
import { type Query, urlOf } from '../../api/client.ts';
import type { BulkTarget } from '../../api/operations.ts';

/** One thing that a page shows or does, as it is asked for from a terminal. */
export interface Command {
  readonly label: string;
  readonly method: Route['method'];
  /** With the ids filled in. */
  readonly path: string;
  readonly query?: Query;
  /** What the body looks like; values that only a person knows stand as `…`. */
  readonly body?: unknown;
  /** Words behind `yardmaster`; null: the command line has no such command. */
  readonly cli: readonly string[] | null;
}

/** Everywhere the same: no token and no secret is ever written out. */
export const curlText = ({ method, path, query, body }: Command, origin: string): string =>
  [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    '-H "authorization: Bearer $YARDMASTER_TOKEN"',
    ...(body === undefined ? [] : [`-H 'content-type: application/json' -d ${quoteForShell(JSON.stringify(body))}`]),
    quoteForShell(`${origin}${urlOf(path, query)}`),
  ].join(' ');
export const cliText = ({ cli }: Command): string | null => cli && ['yardmaster', ...cli.map(quoteForShell)].join(' ');

type Search = Readonly<Record<string, unknown>>;
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '');
/** `--name value` for those that are there; a list repeats the flag. */
const flags = (named: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(named).flatMap(([flag, value]) => texts(value).flatMap((one) => [`--${flag}`, one]));

/** What the page at this address shows and does, the list or thing itself first. One table, so that nothing is told twice. */
export function pageCommands(pathname: string, search: Search): Command[] {
  const [page = '', first, second] = pathname.split('/').slice(1).map(decodeURIComponent);
  const id = second ?? first;
  switch (page) {
    case 'workflows':
      return id === undefined ? workflowList(search) : workflowOne(id, search);
    case 'jobs':
      return id === undefined ? jobList(search) : jobOne(id, search);
    case 'failures':
      return failures(search);
    case 'operations':
      return operations(search);
    case 'workers':
      return workers(search);
    case 'alerts':
      return alerts(search);
    case 'dashboards':
      return id === undefined || id === 'explore'
        ? [get(t('List dashboards'), '/dashboards', ['dashboards', 'list'])]
        : dashboardOne(id);
    case 'settings':
      return settings(text(search['tab']) ?? 'connections');
    case 'logs':
      return [
        get(t('Search log lines'), '/logs/search', ['logs', 'search', text(search['query']) ?? '*'], {
          query: text(search['query']),
        }),
        get(t('Follow log lines'), '/logs/tail', ['logs', 'tail', text(search['query']) ?? '*'], {
          query: text(search['query']),
        }),
      ];
    case '':
      return [
        get(t('Status at a glance'), '/overview', null),
        get(t('Find anything by ID or text'), '/find', ['find', '…'], { q: '…' }),
      ];
    default:
      return [];
  }
}

const API = '/api/v1';
const part = encodeURIComponent;
const get = (label: string, path: string, cli: readonly string[] | null, query?: Query): Command => ({
  label,
  method: 'GET',
  path: API + path,
  cli,
  ...(query ? { query } : {}),
});
const act = (
  label: string,
  method: Route['method'],
  path: string,
  cli: readonly string[] | null,
  body?: unknown,
): Command => ({ label, method, path: API + path, cli, ...(body === undefined ? {} : { body }) });

/** Kill or retry of one job. */
export const jobCommand = (action: 'kill' | 'retry', id: string): Command =>
  action === 'kill'
    ? act(t('Kill this job'), 'DELETE', `/jobs/kill/${part(id)}`, ['jobs', 'kill', id])
    : act(t('Retry job'), 'POST', `/jobs/${part(id)}/retry`, ['jobs', 'retry', id]);

/** The options of the command line that stand for filters of jobs, by the API's names. */
const jobFlags = (filter: Readonly<Record<string, unknown>>): string[] =>
  flags({
    status: texts(filter['status']).join(',') || undefined,
    workflow: filter['workflowId'],
    environment: filter['environment'],
    'external-id': filter['externalId'],
    q: filter['q'],
    from: filter['createdFrom'],
    to: filter['createdTo'],
    label: filter['label'],
    input: filter['input'],
    text: filter['text'],
    'failure-group': filter['failureGroup'],
  });

/** A bulk operation on chosen jobs, or on those that a filter finds. */
export function bulkCommand(kind: OperationKind, target: BulkTarget): Command {
  const which =
    'ids' in target
      ? target.ids
      : [...jobFlags(target.filter as Record<string, unknown>), ...(target.all ? ['--all'] : [])];
  const labels = { kill: t('Kill these jobs'), retry: t('Retry these jobs'), rerun: t('Rerun these jobs') };
  const more = [
    ...flags({ commit: target.commit }),
    ...(target.includeNonRetryable ? ['--include-non-retryable'] : []),
    ...(target.includeRerun ? ['--include-rerun'] : []),
    ...(target.includeCompleted ? ['--include-completed'] : []),
  ];
  return act(labels[kind], 'POST', `/jobs/bulk/${kind}`, ['jobs', kind, ...which, ...more], target);
}

export const publishCommand = (id: string, environment: string, hash: string, description: string): Command =>
  act(
    t('Publish a version'),
    'PUT',
    `/workflows/${part(id)}/environments/${environment}`,
    ['workflow', 'publish', id, environment, hash, ...(description === '' ? [] : ['--description', description])],
    { hash, ...(description === '' ? {} : { description }) },
  );

function jobList(search: Search): Command[] {
  const filter = {
    status: texts(search['status']),
    workflowId: text(search['workflow']),
    environment: text(search['environment']) ?? text(search['env']),
    q: text(search['q']),
    label: texts(search['label']),
    input: texts(search['input']),
    text: text(search['text']),
    failureGroup: text(search['failureGroup']),
    createdFrom: text(search['from']),
    createdTo: text(search['to']),
  };
  const set = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value.length > 0));
  const own = jobFlags({ ...filter, createdFrom: text(search['created']) ?? filter.createdFrom });
  const target =
    Object.keys(set).length === 0 ? { filter: {}, all: true, dryRun: true } : { filter: set, dryRun: true };
  const all = Object.keys(set).length === 0 ? ['--all'] : [];
  return [
    get(t('List these jobs'), '/jobs', ['jobs', 'list', ...own, ...flags({ sort: search['sort'] })], {
      ...set,
      sort: text(search['sort']),
    }),
    get(t('Export them'), '/jobs/export', ['jobs', 'export', ...own, '--format', 'csv'], { ...set, format: 'csv' }),
    act(
      t('Retry them (dry run first)'),
      'POST',
      '/jobs/bulk/retry',
      ['jobs', 'retry', ...own, ...all, '--dry-run'],
      target,
    ),
    act(
      t('Rerun them on the published version (dry run first)'),
      'POST',
      '/jobs/bulk/rerun',
      ['jobs', 'rerun', ...own, ...all, '--commit', 'published', '--dry-run'],
      { ...target, commit: 'published' },
    ),
    act(
      t('Kill them (dry run first)'),
      'POST',
      '/jobs/bulk/kill',
      ['jobs', 'kill', ...own, ...all, '--dry-run'],
      target,
    ),
    act(t('Submit a job'), 'POST', '/jobs', null, {
      workflowId: filter.workflowId ?? '…',
      environment: filter.environment ?? 'dev',
      inputs: [{}],
    }),
  ];
}

function jobOne(id: string, search: Search): Command[] {
  const task = text(search['task']);
  return [
    get(t('This job'), `/jobs/${part(id)}`, ['jobs', 'show', id]),
    ...(task === undefined
      ? []
      : [
          get(t('This task'), `/tasks/${part(task)}`, null),
          get(t('Why this task is not running'), `/tasks/${part(task)}/why`, ['jobs', 'why', task]),
          act(t('Retry task'), 'POST', `/tasks/${part(task)}/retry`, ['jobs', 'retry-task', task]),
        ]),
    jobCommand('retry', id),
    jobCommand('kill', id),
    act(t('Run it again as a new job'), 'POST', `/jobs/${part(id)}/rerun`, ['jobs', 'rerun', id], {}),
    get(t('Its tasks'), `/jobs/${part(id)}/tasks`, null),
    get(t('Input'), `/jobs/${part(id)}/input`, ['jobs', 'input', id]),
    get(t('Output'), `/jobs/${part(id)}/output`, null),
    get(t('Its log lines'), '/logs/search', ['logs', 'search', '--job', id], { job_id: id }),
  ];
}

function workflowList(search: Search): Command[] {
  const q = text(search['q']);
  return [
    get(t('List workflows'), '/workflows', ['workflow', 'list', ...flags({ q })], { q }),
    act(t('Create workflow'), 'POST', '/workflows', ['workflow', 'import', 'my.workflow.json'], {
      id: 'my-workflow',
      name: '…',
    }),
  ];
}

function workflowOne(id: string, search: Search): Command[] {
  const environment = text(search['environment']) ?? text(search['env']) ?? 'dev';
  const version = text(search['version']) ?? '…';
  return [
    get(t('This workflow'), `/workflows/${part(id)}`, null),
    get(t('Its versions'), `/workflows/${part(id)}/commits`, ['workflow', 'versions', id]),
    ...(search['from'] && search['to']
      ? [
          get(
            t('Diff of the two'),
            `/workflows/${part(id)}/commits/${String(search['from'])}/diff/${String(search['to'])}`,
            ['workflow', 'diff', id, String(search['from']), String(search['to'])],
          ),
        ]
      : []),
    get(t('Definition as a file'), `/workflows/${part(id)}/commits/${part(version)}`, ['workflow', 'export', id]),
    act(
      t('Save version'),
      'POST',
      `/workflows/${part(id)}/commits`,
      ['workflow', 'save', id, 'definition.json', '--message', '…'],
      { definition: {}, message: '…', parent: null },
    ),
    publishCommand(id, environment, version, '…'),
    act(t('Unpublish it'), 'DELETE', `/workflows/${part(id)}/environments/${environment}`, null),
    get(t('Publish history'), `/workflows/${part(id)}/publications`, null),
    get(t('Impact of each publication'), `/workflows/${part(id)}/publications/impact`, ['workflow', 'impact', id]),
  ];
}

function failures(search: Search): Command[] {
  const group = text(search['group']);
  const filter = {
    status: text(search['status']) === 'all' ? undefined : text(search['status']),
    workflow: text(search['workflow']),
    environment: text(search['environment']) ?? text(search['env']),
    q: text(search['q']),
    sort: text(search['sort']),
  };
  const { workflow: workflowId, ...query } = filter;
  const list = get(t('List these failures'), '/failures', ['failures', 'list', ...flags(filter)], {
    ...query,
    workflowId,
  });
  if (group === undefined) return [list];
  return [
    get(t('This group'), `/failures/${part(group)}`, ['failures', 'show', group]),
    act(t('Retry all its jobs'), 'POST', `/failures/${part(group)}/retry`, ['failures', 'retry', group]),
    act(t('Resolve it'), 'POST', `/failures/${part(group)}/resolve`, ['failures', 'resolve', group]),
    act(t('Ignore it'), 'POST', `/failures/${part(group)}/ignore`, ['failures', 'ignore', group]),
    act(t('Reopen it'), 'POST', `/failures/${part(group)}/reopen`, ['failures', 'reopen', group]),
    list,
  ];
}

function operations(search: Search): Command[] {
  const id = text(search['operation']);
  const list = get(t('List bulk operations'), '/operations', ['operations', 'list']);
  if (id === undefined) return [list];
  return [
    get(t('This operation'), `/operations/${part(id)}`, ['operations', 'show', id]),
    get(t('Result for each job'), `/operations/${part(id)}/results`, ['operations', 'results', id]),
    act(t('Stop it'), 'POST', `/operations/${part(id)}/abort`, ['operations', 'abort', id]),
    list,
  ];
}

function workers(search: Search): Command[] {
  const id = text(search['worker']);
  const state = texts(search['state']);
  const list = get(t('List workers'), '/workers', ['workers', 'list', ...flags({ state: state.join(',') })], {
    state,
  });
  if (id === undefined) return [list];
  return [
    get(t('This worker'), `/workers/${part(id)}`, null),
    get(t('Its active tasks'), `/workers/${part(id)}/tasks`, null),
    act(t('Drain it'), 'POST', `/workers/${part(id)}/drain`, ['workers', 'drain', id]),
    act(t('Resume it'), 'POST', `/workers/${part(id)}/resume`, ['workers', 'resume', id]),
    list,
  ];
}

function alerts(search: Search): Command[] {
  switch (text(search['tab'])) {
    case 'rules':
      return [
        get(t('List rules'), '/alerts/rules', ['alerts', 'rules', 'list']),
        act(t('Create a rule'), 'POST', '/alerts/rules', ['alerts', 'rules', 'create', 'rule.json'], {}),
      ];
    case 'silences':
      return [get(t('List silences'), '/alerts/silences', ['alerts', 'silences', 'list'])];
    case 'channels':
      return [
        get(t('List channels'), '/alerts/channels', ['alerts', 'channels', 'list']),
        act(t('Send a test message'), 'POST', '/alerts/channels/…/test', ['alerts', 'channels', 'test', '…']),
      ];
    case 'history':
      return [get(t('Alerts fired and messages sent'), '/alerts/history', ['alerts', 'history'])];
    case 'routing':
      return [
        get(t('Show the routing'), '/alerts/policy', ['alerts', 'policy', 'show']),
        act(t('Change the routing'), 'PUT', '/alerts/policy', ['alerts', 'policy', 'set', 'policy.json'], {}),
      ];
    default:
      return [get(t('List firing alerts'), '/alerts', ['alerts', 'list'])];
  }
}

function dashboardOne(id: string): Command[] {
  return [
    get(t('This dashboard'), `/dashboards/${part(id)}`, ['dashboards', 'export', id]),
    act(t('Change it'), 'PUT', `/dashboards/${part(id)}`, ['dashboards', 'import', id, 'dashboard.json'], {}),
    act(t('Delete it'), 'DELETE', `/dashboards/${part(id)}`, ['dashboards', 'delete', id]),
  ];
}

function settings(tab: string): Command[] {
  switch (tab) {
    case 'keys':
      return [
        get(t('List API keys'), '/keys', ['keys', 'list']),
        act(
          t('Create API key'),
          'POST',
          '/keys',
          ['keys', 'create', '--name', '…', '--workflow', '…', '--environment', 'dev'],
          { name: '…', workflows: ['…'], environments: ['dev'] },
        ),
        act(t('Revoke a key'), 'DELETE', '/keys/…', ['keys', 'revoke', '…']),
      ];
    case 'tokens':
      return [
        get(t('List tokens'), '/tokens', ['tokens', 'list']),
        act(t('Create a token'), 'POST', '/tokens', ['tokens', 'create', '--name', '…', '--role', 'viewer'], {
          name: '…',
          role: 'viewer',
        }),
        act(t('Revoke a token'), 'DELETE', '/tokens/…', ['tokens', 'revoke', '…']),
      ];
    case 'secrets':
      return [
        get(t('List secret names'), '/secrets', ['secrets', 'list']),
        act(t('Set a secret'), 'PUT', '/secrets/NAME', ['secrets', 'set', 'NAME'], { value: '…' }),
        act(t('Delete a secret'), 'DELETE', '/secrets/NAME', ['secrets', 'delete', 'NAME']),
      ];
    case 'limits':
      return [
        get(t('Current limits and settings'), '/settings', ['settings', 'list']),
        act(t('Override a setting'), 'PATCH', '/settings', ['settings', 'set', 'jobRetentionDays', '30'], {
          jobRetentionDays: 30,
        }),
      ];
    case 'audit':
      return [get(t('All changes, newest first'), '/audit', null)];
    case 'pipeline':
      return [get(t('Log pipeline status'), '/logs/pipeline', ['logs', 'pipeline'])];
    case 'about':
      return [
        get(t('Current limits and settings'), '/settings', ['settings', 'list']),
        act(t('Take a backup'), 'POST', '/backup', ['backup', 'yardmaster.backup']),
      ];
    case 'connections':
      return [
        { label: t('Health check'), method: 'GET', path: '/healthz', cli: ['doctor'] },
        act(t('Take a backup'), 'POST', '/backup', ['backup', 'yardmaster.backup']),
      ];
    default:
      return [{ label: t('Health check'), method: 'GET', path: '/healthz', cli: ['doctor'] }];
  }
}
