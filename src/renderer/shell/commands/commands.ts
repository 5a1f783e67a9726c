import { ADDRESSES } from '../../../contract/addresses.ts';
import type { Params, RouteName } from '../../../contract/routes.ts';
import { DISPLAY_STATUSES, type OperationKind, statusFilter } from '../../../contract/vocabulary.ts';
import { pathWith, queryText, type QueryValue } from '../../../lib/api-client.ts';
import { quoteForShell } from '../../../lib/shell-quote.ts';
import { t } from '../../../lib/language.ts';
import type { BulkTarget } from '../../api/operations.ts';

type Query = Readonly<Record<string, QueryValue>>;

/** One thing that a page shows or does, as it is asked for from a terminal. */
export interface Command {
  readonly label: string;
  readonly method: string;
  /** With the ids filled in. */
  readonly path: string;
  readonly query?: Query;
  /** What the body looks like; values that only a person knows stand as `…`. */
  readonly body?: unknown;
  /** Words behind `yardmaster`; null: the command line has no such command. */
  readonly cli: readonly string[] | null;
}

/** Everywhere the same: no token and no secret is ever written out. */
export const curlText = ({ method, path, query = {}, body }: Command, origin: string): string =>
  [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    '-H "authorization: Bearer $YARDMASTER_TOKEN"',
    ...(body === undefined ? [] : [`-H 'content-type: application/json' -d ${quoteForShell(JSON.stringify(body))}`]),
    quoteForShell(origin + path + queryText(query)),
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
    case 'cluster':
      return [
        get(t('Masters of the cluster'), 'cluster.get', ['cluster', 'status']),
        act(t('Hand the state over'), 'cluster.handover', ['cluster', 'handover'], {}),
      ];
    case 'dashboards':
      return id === undefined || id === 'explore'
        ? [get(t('List dashboards'), 'dashboards.list', ['dashboards', 'list'])]
        : dashboardOne(id);
    case 'settings':
      return settings(text(search['tab']) ?? 'connections');
    case 'logs':
      return [
        get(t('Search log lines'), 'logs.search', ['logs', 'search', text(search['query']) ?? '*'], {
          query: text(search['query']),
        }),
        get(t('Follow log lines'), 'logs.tail', ['logs', 'tail', text(search['query']) ?? '*'], {
          query: text(search['query']),
        }),
      ];
    case '':
      return [
        get(t('Status at a glance'), 'master.overview', null),
        get(t('Find anything by ID or text'), 'master.find', ['find', '…'], { q: '…' }),
      ];
    default:
      return [];
  }
}

/** A route, with what stands in its path; `…` where only a person knows. */
type Asked<N extends RouteName> =
  Params<N> extends undefined ? N : readonly [name: N, params: { readonly [K in keyof Params<N>]: string }];
function asked(
  route: RouteName | readonly [RouteName, Readonly<Record<string, string>>],
): Pick<Command, 'method' | 'path'> {
  const [name, params] = typeof route === 'string' ? [route, {}] : route;
  return { method: ADDRESSES[name][0], path: pathWith(name, { params }).replaceAll('%E2%80%A6', '…') };
}
const get = <N extends RouteName>(
  label: string,
  route: Asked<N>,
  cli: readonly string[] | null,
  query?: Query,
): Command => ({ label, ...asked(route), cli, ...(query ? { query } : {}) });
const act = <N extends RouteName>(
  label: string,
  route: Asked<N>,
  cli: readonly string[] | null,
  body?: unknown,
): Command => ({ label, ...asked(route), cli, ...(body === undefined ? {} : { body }) });

/** Kill or retry of one job. */
export const jobCommand = (action: 'kill' | 'retry', id: string): Command =>
  action === 'kill'
    ? act(t('Kill this job'), ['jobs.kill', { jobId: id }], ['jobs', 'kill', id])
    : act(t('Retry job'), ['jobs.retry', { jobId: id }], ['jobs', 'retry', id]);

/** The options of the command line that stand for filters of jobs, by the API's names. */
const jobFlags = (filter: Readonly<Record<string, unknown>>): string[] =>
  flags({
    status: texts(filter['status']).join(',') || undefined,
    'display-status': texts(filter['displayStatus']).join(',') || undefined,
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
    trigger: texts(filter['trigger']).join(',') || undefined,
    filter: filter['triggerId'] === undefined ? undefined : `triggerId=${String(filter['triggerId'])}`,
  });

/** A bulk operation on chosen jobs, or on those that a filter finds. */
export function bulkCommand(kind: OperationKind, target: BulkTarget): Command {
  const which = 'ids' in target ? target.ids : [...jobFlags({ ...target.filter }), ...(target.all ? ['--all'] : [])];
  const labels = { kill: t('Kill these jobs'), retry: t('Retry these jobs'), rerun: t('Rerun these jobs') };
  const more = [
    ...flags({ commit: target.commit }),
    ...(target.includeNonRetryable ? ['--include-non-retryable'] : []),
    ...(target.includeRerun ? ['--include-rerun'] : []),
    ...(target.includeCompleted ? ['--include-completed'] : []),
  ];
  return act(labels[kind], `operations.${kind}`, ['jobs', kind, ...which, ...more], target);
}

export const publishCommand = (id: string, environment: string, hash: string, description: string): Command =>
  act(
    t('Publish a version'),
    ['workflows.publish', { id, environment }],
    ['workflow', 'publish', id, environment, hash, ...(description === '' ? [] : ['--description', description])],
    { hash, ...(description === '' ? {} : { description }) },
  );

function jobList(search: Search): Command[] {
  const filter = {
    ...statusFilter(DISPLAY_STATUSES.filter((one) => texts(search['status']).includes(one))),
    workflowId: text(search['workflow']),
    environment: text(search['environment']) ?? text(search['env']),
    q: text(search['q']),
    label: texts(search['label']),
    input: texts(search['input']),
    text: text(search['text']),
    failureGroup: text(search['failureGroup']),
    trigger: texts(search['trigger']),
    triggerId: text(search['triggerId']),
    createdFrom: text(search['from']),
    createdTo: text(search['to']),
  };
  const set = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value.length > 0));
  const own = jobFlags({ ...filter, createdFrom: text(search['created']) ?? filter.createdFrom });
  const target =
    Object.keys(set).length === 0 ? { filter: {}, all: true, dryRun: true } : { filter: set, dryRun: true };
  const all = Object.keys(set).length === 0 ? ['--all'] : [];
  return [
    get(t('List these jobs'), 'jobs.list', ['jobs', 'list', ...own, ...flags({ sort: search['sort'] })], {
      ...set,
      sort: text(search['sort']),
    }),
    get(t('Export them'), 'jobs.export', ['jobs', 'export', ...own, '--format', 'csv'], { ...set, format: 'csv' }),
    act(t('Retry them (dry run first)'), 'operations.retry', ['jobs', 'retry', ...own, ...all, '--dry-run'], target),
    act(
      t('Rerun them on the published version (dry run first)'),
      'operations.rerun',
      ['jobs', 'rerun', ...own, ...all, '--commit', 'published', '--dry-run'],
      { ...target, commit: 'published' },
    ),
    act(t('Kill them (dry run first)'), 'operations.kill', ['jobs', 'kill', ...own, ...all, '--dry-run'], target),
    act(t('Submit a job'), 'jobs.create', null, {
      workflowId: filter.workflowId ?? '…',
      environment: filter.environment ?? 'dev',
      inputs: [{}],
    }),
  ];
}

function jobOne(id: string, search: Search): Command[] {
  const task = text(search['task']);
  return [
    get(t('This job'), ['jobs.get', { jobId: id }], ['jobs', 'show', id]),
    ...(task === undefined
      ? []
      : [
          get(t('This task'), ['tasks.get', { taskId: task }], null),
          get(t('Why this task is not running'), ['tasks.why', { taskId: task }], ['jobs', 'why', task]),
          act(t('Retry task'), ['tasks.retry', { taskId: task }], ['jobs', 'retry-task', task]),
        ]),
    jobCommand('retry', id),
    jobCommand('kill', id),
    act(t('Run it again as a new job'), ['jobs.rerun', { jobId: id }], ['jobs', 'rerun', id], {}),
    taskList(id, search),
    get(t('Input'), ['jobs.input', { jobId: id }], ['jobs', 'input', id]),
    get(t('Output'), ['jobs.output', { jobId: id }], null),
    get(t('Its log lines'), 'logs.search', ['logs', 'search', '--job', id], { job_id: id }),
  ];
}

/** With the filters of the tab, which has the text of the error under another name. */
function taskList(jobId: string, search: Search): Command {
  const { state, replica } = search;
  const filter = {
    node: text(search['node']),
    replica: typeof replica === 'number' ? String(replica) : undefined,
    worker: text(search['worker']),
    code: text(search['code']),
    q: text(search['error']),
    sort: text(search['sort']),
  };
  const states = texts(state);
  return get(
    t('Its tasks'),
    ['tasks.list', { jobId }],
    ['jobs', 'tasks', jobId, ...flags({ state: states.join(','), ...filter })],
    { state: states, ...filter },
  );
}

function workflowList(search: Search): Command[] {
  const q = text(search['q']);
  return [
    get(t('List workflows'), 'workflows.list', ['workflow', 'list', ...flags({ q })], { q }),
    act(t('Create workflow'), 'workflows.create', ['workflow', 'import', 'my.workflow.json'], {
      id: 'my-workflow',
      name: '…',
    }),
  ];
}

function workflowOne(id: string, search: Search): Command[] {
  const environment = text(search['environment']) ?? text(search['env']) ?? 'dev';
  const version = text(search['version']) ?? '…';
  return [
    get(t('This workflow'), ['workflows.get', { id }], null),
    get(t('Its versions'), ['commits.list', { id }], ['workflow', 'versions', id]),
    ...(search['from'] && search['to']
      ? [
          get(
            t('Diff of the two'),
            ['commits.diff', { id, a: String(search['from']), b: String(search['to']) }],
            ['workflow', 'diff', id, String(search['from']), String(search['to'])],
          ),
        ]
      : []),
    get(t('Definition as a file'), ['commits.get', { id, hash: version }], ['workflow', 'export', id]),
    act(t('Save version'), ['commits.create', { id }], ['workflow', 'save', id, 'definition.json', '--message', '…'], {
      definition: {},
      message: '…',
      parent: null,
    }),
    publishCommand(id, environment, version, '…'),
    act(t('Unpublish it'), ['workflows.unpublish', { id, environment }], null),
    get(t('Publish history'), ['publications.list', { id }], null),
    get(t('Impact of each publication'), ['publications.impact', { id }], ['workflow', 'impact', id]),
  ];
}

function failures(search: Search): Command[] {
  const group = text(search['group']);
  const filter = {
    status: text(search['status']) === 'all' ? undefined : text(search['status']),
    workflow: text(search['workflow']),
    environment: text(search['environment']) ?? text(search['env']),
    node: text(search['node']),
    code: text(search['code']),
    q: text(search['q']),
    sort: text(search['sort']),
  };
  const { workflow: workflowId, ...query } = filter;
  const list = get(t('List these failures'), 'failures.list', ['failures', 'list', ...flags(filter)], {
    ...query,
    workflowId,
  });
  if (group === undefined) return [list];
  return [
    get(t('This group'), ['failures.get', { id: group }], ['failures', 'show', group]),
    act(t('Retry all its jobs'), ['failures.retry', { id: group }], ['failures', 'retry', group]),
    act(t('Resolve it'), ['failures.resolve', { id: group }], ['failures', 'resolve', group]),
    act(t('Ignore it'), ['failures.ignore', { id: group }], ['failures', 'ignore', group]),
    act(t('Reopen it'), ['failures.reopen', { id: group }], ['failures', 'reopen', group]),
    list,
  ];
}

function operations(search: Search): Command[] {
  const id = text(search['operation']);
  const list = get(t('List bulk operations'), 'operations.list', ['operations', 'list']);
  if (id === undefined) return [list];
  return [
    get(t('This operation'), ['operations.get', { id }], ['operations', 'show', id]),
    get(t('Result for each job'), ['operations.results', { id }], ['operations', 'results', id]),
    act(t('Stop it'), ['operations.abort', { id }], ['operations', 'abort', id]),
    list,
  ];
}

function workers(search: Search): Command[] {
  const id = text(search['worker']);
  const state = texts(search['state']);
  const q = text(search['q']);
  const list = get(t('List workers'), 'workers.list', ['workers', 'list', ...flags({ state: state.join(','), q })], {
    ...{ state, q },
  });
  if (id === undefined) return [list];
  return [
    get(t('This worker'), ['workers.get', { id }], null),
    get(t('Its active tasks'), ['workers.tasks', { id }], null),
    act(t('Drain it'), ['workers.drain', { id }], ['workers', 'drain', id]),
    act(t('Resume it'), ['workers.resume', { id }], ['workers', 'resume', id]),
    list,
  ];
}

function alerts(search: Search): Command[] {
  switch (text(search['tab'])) {
    case 'rules':
      return [
        get(t('List rules'), 'alertRules.list', ['alerts', 'rules', 'list']),
        act(t('Create a rule'), 'alertRules.create', ['alerts', 'rules', 'create', 'rule.json'], {}),
      ];
    case 'silences':
      return [get(t('List silences'), 'silences.list', ['alerts', 'silences', 'list'])];
    case 'channels':
      return [
        get(t('List channels'), 'channels.list', ['alerts', 'channels', 'list']),
        act(t('Send a test message'), ['channels.test', { id: '…' }], ['alerts', 'channels', 'test', '…']),
      ];
    case 'history':
      return [get(t('Alerts fired and messages sent'), 'alerts.history', ['alerts', 'history'])];
    case 'routing':
      return [
        get(t('Show the routing'), 'alertPolicy.get', ['alerts', 'policy', 'show']),
        act(t('Change the routing'), 'alertPolicy.replace', ['alerts', 'policy', 'set', 'policy.json'], {}),
      ];
    default:
      return [get(t('List firing alerts'), 'alerts.list', ['alerts', 'list'])];
  }
}

function dashboardOne(id: string): Command[] {
  return [
    get(t('This dashboard'), ['dashboards.get', { id }], ['dashboards', 'export', id]),
    act(t('Change it'), ['dashboards.update', { id }], ['dashboards', 'import', id, 'dashboard.json'], {}),
    act(t('Delete it'), ['dashboards.delete', { id }], ['dashboards', 'delete', id]),
  ];
}

function settings(tab: string): Command[] {
  switch (tab) {
    case 'keys':
      return [
        get(t('List API keys'), 'keys.list', ['keys', 'list']),
        act(
          t('Create API key'),
          'keys.create',
          ['keys', 'create', '--name', '…', '--workflow', '…', '--environment', 'dev'],
          { name: '…', workflows: ['…'], environments: ['dev'] },
        ),
        act(t('Revoke a key'), ['keys.revoke', { id: '…' }], ['keys', 'revoke', '…']),
      ];
    case 'tokens':
      return [
        get(t('List tokens'), 'tokens.list', ['tokens', 'list']),
        act(t('Create a token'), 'tokens.create', ['tokens', 'create', '--name', '…', '--role', 'viewer'], {
          name: '…',
          role: 'viewer',
        }),
        act(t('Revoke a token'), ['tokens.revoke', { id: '…' }], ['tokens', 'revoke', '…']),
      ];
    case 'sessions':
      return [
        get(t('List sessions'), 'sessions.list', ['sessions', 'list']),
        act(t('End a session'), ['sessions.end', { id: '…' }], ['sessions', 'end', '…']),
      ];
    case 'secrets':
      return [
        get(t('List secret names'), 'secrets.list', ['secrets', 'list']),
        act(t('Set a secret'), ['secrets.set', { name: 'NAME' }], ['secrets', 'set', 'NAME'], { value: '…' }),
        act(
          t('Change which jobs may use a secret'),
          ['secrets.update', { name: 'NAME' }],
          ['secrets', 'scope', 'NAME', '--environment', 'prod'],
          { scope: { environments: ['prod'] } },
        ),
        act(t('Delete a secret'), ['secrets.delete', { name: 'NAME' }], ['secrets', 'delete', 'NAME']),
      ];
    case 'limits':
      return [
        get(t('Current limits and settings'), 'settings.get', ['settings', 'list']),
        act(t('Override a setting'), 'settings.update', ['settings', 'set', 'jobRetentionDays', '30'], {
          jobRetentionDays: 30,
        }),
      ];
    case 'audit':
      return [get(t('All changes, newest first'), 'audit.list', null)];
    case 'pipeline':
      return [get(t('Log pipeline status'), 'logs.pipeline', ['logs', 'pipeline'])];
    case 'about':
      return [
        get(t('Current limits and settings'), 'settings.get', ['settings', 'list']),
        act(t('Take a backup'), 'master.backup', ['backup', 'yardmaster.backup']),
      ];
    case 'connections':
      return [
        get(t('Health check'), 'master.healthz', ['doctor']),
        act(t('Take a backup'), 'master.backup', ['backup', 'yardmaster.backup']),
      ];
    default:
      return [get(t('Health check'), 'master.healthz', ['doctor'])];
  }
}
