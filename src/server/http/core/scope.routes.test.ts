import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_IN_ROLES, ROLE_ACTIONS, type Action } from '../../../contract/actions.ts';
import { type ObjectKind, type RouteScope, scopeOf } from '../../../contract/route-scopes.ts';
import { ROUTES, type RouteName } from '../../../contract/routes.ts';
import type { Route } from '../../../contract/shapes.ts';
import type { Grant } from '../../access/port.ts';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';
import { board, granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

/** Every route × every role × where the grant and the object are, drawn from the route table. */

const CUSTOM: Readonly<Record<string, readonly Action[]>> = {
  support: ['workflows.read', 'jobs.read'],
  releaser: ['workflows.read', 'publish.prod'],
};
const ROLES = [...BUILT_IN_ROLES, ...Object.keys(CUSTOM)];
const actionsOf = (role: string): readonly Action[] =>
  CUSTOM[role] ?? ROLE_ACTIONS[role as keyof typeof ROLE_ACTIONS] ?? [];
// What archives its workflow comes last.
const NAMES = (Object.keys(ROUTES) as RouteName[])
  .filter((name) => scopeOf(name) !== null)
  .toSorted((a, b) => Number(a === 'workflows.archive') - Number(b === 'workflows.archive'));
const scoped = (name: RouteName): RouteScope => {
  const scope = scopeOf(name);
  if (scope === null) throw new Error(`${name} has no scope`);
  return scope;
};
const NOT_FOUND = {
  workflow: 'WORKFLOW_NOT_FOUND',
  job: 'JOB_NOT_FOUND',
  task: 'TASK_NOT_FOUND',
  failure: 'FAILURE_NOT_FOUND',
  replay: 'SHADOW_NOT_FOUND',
  operation: 'OPERATION_NOT_FOUND',
  rule: 'ALERT_RULE_NOT_FOUND',
  alert: 'ALERT_NOT_FOUND',
  key: 'KEY_NOT_FOUND',
  secret: 'SECRET_NOT_FOUND',
  dashboard: 'DASHBOARD_NOT_FOUND',
  webhook: 'WEBHOOK_NOT_FOUND',
  schedule: 'SCHEDULE_NOT_FOUND',
} as const satisfies Record<ObjectKind, string>;
type Where = 'own' | 'foreign';
type Target = Where | 'unknown';

let h: Harness;
const ids: Record<Where, Record<ObjectKind, string>> = {
  own: {
    workflow: 'own-flow',
    job: '',
    task: 'task-own',
    failure: 'failure-own',
    replay: 'replay-own',
    operation: 'operation-own',
    rule: 'rule-own',
    alert: 'rule-own',
    key: '',
    secret: 'OWN_SECRET',
    dashboard: 'own-board',
    webhook: '',
    schedule: '',
  },
  foreign: {
    workflow: 'foreign-flow',
    job: '',
    task: 'task-foreign',
    failure: 'failure-foreign',
    replay: 'replay-foreign',
    operation: 'operation-foreign',
    rule: 'rule-foreign',
    alert: 'rule-foreign',
    key: '',
    secret: 'FOREIGN_SECRET',
    dashboard: 'foreign-board',
    webhook: '',
    schedule: '',
  },
};
let be: (grants: readonly Grant[]) => void;

beforeAll(async () => {
  h = await startHarness();
  const { access, dashboards, schedules, secrets, shadow, webhooks } = h.services;
  for (const [id, actions] of Object.entries(CUSTOM)) await access.roles.set(id, { actions }, tester);
  for (const where of ['own', 'foreign'] as const) {
    ids[where].job = await makeProject(h, where, ids[where].workflow);
    const key = { name: where, workflows: ['*'], environments: ['dev' as const], project: where };
    ids[where].key = (await access.keys.create(key, tester)).id;
    await secrets.put(ids[where].secret, { value: 'battery-staple', project: where }, tester);
    const hook = { workflowId: ids[where].workflow, environment: 'dev', verify: { type: 'none' } } as const;
    ids[where].webhook = (await webhooks.create(hook, tester)).webhook.id;
    const due = { workflowId: ids[where].workflow, environment: 'dev' as const, cron: '@yearly' };
    ids[where].schedule = (await schedules.create(due, null, tester)).id;
    await dashboards.create(ids[where].dashboard, board, tester, where);
  }
  // They stay for who comes next.
  access.keys.revoke = async () => {};
  secrets.remove = async () => {};
  dashboards.remove = async () => {};
  schedules.remove = async () => {};
  const whereOf = (id: string): Where | null =>
    id.endsWith('-own') ? 'own' : id.endsWith('-foreign') ? 'foreign' : null;
  /** Objects that have no room behind them here. */
  const known = (object: object, name: string, make: (where: Where) => unknown) => {
    const target = object as Record<string, (id: string) => unknown>;
    const real = target[name];
    target[name] = (id) => {
      const where = whereOf(id);
      return where === null ? real?.(id) : make(where);
    };
  };
  known(h.jobs, 'task', async (where) => ({ id: ids[where].task, jobId: ids[where].job, state: 'FAILED' }));
  known(h.jobs.failures, 'get', async (where) => ({
    id: ids[where].failure,
    workflowId: ids[where].workflow,
    causes: [],
  }));
  known(shadow, 'get', (where) => ({ id: ids[where].replay, workflowId: ids[where].workflow }));
  known(h.jobs.operations, 'places', (where) => [[ids[where].workflow, 'dev']]);
  for (const name of ['get', 'results', 'abort'])
    known(h.jobs.operations, name, async (where) => ({ operationId: ids[where].operation, filter: null, items: [] }));
  const { alerts } = h.services;
  for (const name of ['get', 'update', 'remove'])
    known(alerts.rules, name, (where) => ({ id: ids[where].rule, project: where, query: {} }));
  for (const name of ['acknowledge', 'withdraw']) known(alerts, name, async (where) => ({ id: ids[where].alert }));
  ({ be } = letPersonIn(h));
});
afterAll(() => h.close());

let fresh = 0;
const bulk = (target: Target) => ({ ids: [target === 'unknown' ? 'nothing' : ids[target].job], dryRun: true });
const rule = (project: Target) => ({
  query: { source: 'metrics', measurement: 'task_metrics', field: 'counter_error_count', aggregate: 'sum' },
  threshold: { op: 'gt', value: 1 },
  project,
});
const BODIES: Partial<Record<RouteName, (target: Target) => unknown>> = {
  'alertRules.create': (project) => ({ name: `New ${++fresh}`, ...rule(project) }),
  'alertRules.preview': rule,
  'operations.kill': bulk,
  'operations.retry': bulk,
  'operations.rerun': bulk,
  'jobs.create': (target) => ({
    workflowId: target === 'unknown' ? 'no-flow' : ids[target].workflow,
    environment: 'dev',
    inputs: [{ content: 'a' }],
  }),
  'workflows.create': (target) => ({ id: `new-${++fresh}`, name: 'New', project: target }),
  'keys.create': (project) => ({ name: 'New', workflows: ['*'], environments: ['dev'], project }),
  'webhooks.create': (target) => ({
    workflowId: target === 'unknown' ? 'no-flow' : ids[target].workflow,
    environment: 'dev',
    verify: { type: 'none' },
  }),
  'secrets.set': (project) => ({ value: 'battery-staple', project }),
  'schedules.create': (target) => ({
    workflowId: target === 'unknown' ? 'no-flow' : ids[target].workflow,
    environment: 'dev',
    cron: '@yearly',
  }),
  'schedules.update': () => ({ description: 'New' }),
  'schedules.backfill': () => ({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', dryRun: true }),
  'dashboards.create': (project) => ({ id: `new-${++fresh}`, definition: board, project }),
};
/** Of what the body names. */
const BODY_CODES: Partial<Record<RouteName, string>> = {
  'operations.kill': 'JOB_NOT_FOUND',
  'operations.retry': 'JOB_NOT_FOUND',
  'operations.rerun': 'JOB_NOT_FOUND',
  'jobs.create': 'WORKFLOW_NOT_FOUND',
  'workflows.create': 'PROJECT_NOT_FOUND',
  'alertRules.create': 'PROJECT_NOT_FOUND',
  'alertRules.preview': 'PROJECT_NOT_FOUND',
  'keys.create': 'PROJECT_NOT_FOUND',
  'webhooks.create': 'WORKFLOW_NOT_FOUND',
  'secrets.set': 'PROJECT_NOT_FOUND',
  'dashboards.create': 'PROJECT_NOT_FOUND',
  'schedules.create': 'WORKFLOW_NOT_FOUND',
  'workflows.publish': 'WORKFLOW_NOT_FOUND',
  'workflows.unpublish': 'WORKFLOW_NOT_FOUND',
};

const UNKNOWN: Partial<Record<ObjectKind, string>> = {
  workflow: 'no-flow',
  secret: 'NO_SECRET',
  dashboard: 'no-board',
};
const PARAMS: Readonly<Record<string, string>> = { environment: 'dev', name: 'NEW_SECRET' };

async function send(name: RouteName, target: Target): Promise<{ status: number; code: string; detail: string }> {
  const route: Route = ROUTES[name];
  const needs = scopeOf(name);
  const kinds = needs && typeof needs.in === 'object' ? needs.in.of : {};
  const idOf = (kind: ObjectKind) => (target === 'unknown' ? (UNKNOWN[kind] ?? 'nothing') : ids[target][kind]);
  const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_all, param: string) => {
    const kind = kinds[param] ?? (route.path.startsWith('/api/v1/workflows/') && param === 'id' ? 'workflow' : null);
    return kind ? idOf(kind) : (PARAMS[param] ?? 'abcd');
  });
  const isLog = name.startsWith('logs.') && needs?.in === 'list';
  const query = [
    ...(isLog ? [`job_id=${idOf('job')}`] : []),
    ...(name === 'logs.context' ? ['at=2026-01-01T00:00:00Z'] : []),
    ...(name === 'logs.export' || name === 'jobs.export' ? ['format=ndjson'] : []),
    ...(name === 'logs.values' ? ['field=level'] : []),
  ].join('&');
  // A stream or file: its headers are enough.
  const isStream = route.method === 'GET' && route.produces !== undefined;
  const body = BODIES[name]?.(target) ?? (name === 'workflows.publish' ? { hash: 'abcd' } : undefined);
  const answer = await h.app.inject({
    method: isStream ? 'HEAD' : route.method,
    url: query === '' ? path : `${path}?${query}`,
    headers: { authorization: 'Bearer person' },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  if (isStream)
    // HEAD has no body that says more.
    return {
      status: answer.statusCode,
      code: { 403: 'FORBIDDEN', 404: missing(name) }[answer.statusCode] ?? '',
      detail: '',
    };
  const isProblem = answer.headers['content-type']?.startsWith('application/problem+json') === true;
  const { code = '', detail = '' } = isProblem ? answer.json<{ code: string; detail: string }>() : {};
  return { status: answer.statusCode, code, detail };
}

/** What an object of a route is: for what the answer must be as for an unknown one. */
const missing = (name: RouteName): string | null => {
  const { in: where }: RouteScope = scoped(name);
  if (typeof where === 'object') return NOT_FOUND[Object.values(where.of)[0] as ObjectKind];
  if (where === 'list' && name.startsWith('logs.')) return 'JOB_NOT_FOUND';
  return BODY_CODES[name] ?? null;
};

describe.each(ROLES)('%s', (role) => {
  const has = (action: Action) => actionsOf(role).includes(action);

  it.each(NAMES)('%s', async (name) => {
    const { action, in: where }: RouteScope = scoped(name);
    // Nothing at all.
    be([]);
    const nothing = await send(name, 'own');
    if (where === 'own') {
      // Of the caller's own, grants say nothing.
      be([granted(role, null)]);
      expect((await send(name, 'own')).status).toBe(nothing.status);
      return;
    }
    expect([nothing.status, nothing.code]).toEqual([403, 'FORBIDDEN']);

    // In one project.
    be([granted(role, 'own')]);
    const own = await send(name, 'own');
    const foreign = await send(name, 'foreign');
    const unknown = await send(name, 'unknown');
    const allowed = where !== 'all' && has(action);
    if (allowed) {
      expect(own.code, 'own').not.toBe('FORBIDDEN');
      if (own.status === 404 && /^(WORKFLOW|JOB|PROJECT|KEY|SECRET|DASHBOARD)/.test(missing(name) ?? ''))
        expect(own.code).not.toBe(missing(name));
    } else if (action === 'workflows.publish' && has('publish.prod')) {
      // Comes as far as the workflow: only there it shows that it is not for prod.
      if (BODY_CODES[name]) expect([own.status, foreign.status, unknown.status]).toEqual([403, 404, 404]);
    } else expect([own.status, foreign.status, unknown.status]).toEqual([403, 403, 403]);
    const code = missing(name);
    if (allowed && code !== null) {
      expect([foreign.status, foreign.code], 'foreign').toEqual([404, code]);
      // Nothing tells a foreign object from an unknown one but the name that was asked for.
      const without = ({ detail }: { detail: string }) =>
        detail.replaceAll(
          /(own|foreign|no)-(flow|board)|(NO|FOREIGN)_SECRET|[\w-]*-(own|foreign)|nothing|\bforeign\b|\bunknown\b|[0-9a-f-]{36}/g,
          'X',
        );
      expect([unknown.status, unknown.code, without(unknown)]).toEqual([
        foreign.status,
        foreign.code,
        without(foreign),
      ]);
    }

    // Everywhere.
    be([granted(role, null)]);
    for (const target of ['own', 'foreign'] as const) {
      const { code: everywhere } = await send(name, target);
      // Comes as far as the handler, which knows the environment.
      if (action === 'workflows.publish' && has('publish.prod') && !BODY_CODES[name]) continue;
      expect(everywhere === 'FORBIDDEN', `everywhere, ${target}`).toBe(!has(action));
    }
  });
});

it('a plain token reaches what the table says, as a grant of its role everywhere does', () => {
  const rank = { viewer: 0, operator: 1, admin: 2 } as const;
  for (const name of NAMES) {
    const { action, in: where }: RouteScope = scoped(name);
    const { access } = ROUTES[name];
    if (where !== 'own')
      for (const role of ['viewer', 'operator', 'admin'] as const)
        expect([name, role, ROLE_ACTIONS[role].includes(action)]).toEqual([
          name,
          role,
          rank[role] >= rank[access as keyof typeof rank],
        ]);
  }
});

it('every route that a role reaches says where', () => {
  for (const [name, { access }] of Object.entries(ROUTES) as [RouteName, Route][])
    expect([name, scopeOf(name) !== null]).toEqual([name, access !== 'open' && access !== 'key']);
});

it('environments limit publishing and operating, and prod is an action of its own', async () => {
  const publish = async (environment: string) =>
    (
      await h.app.inject({
        method: 'PUT',
        url: `/api/v1/workflows/own-flow/environments/${environment}`,
        headers: { authorization: 'Bearer person' },
        payload: { hash: 'abcd' },
      })
    ).json().code;
  be([granted('author', 'own', ['dev'])]);
  expect([await publish('dev'), await publish('staging'), await publish('prod')]).toEqual([
    'WORKFLOW_NOT_FOUND',
    'FORBIDDEN',
    'FORBIDDEN',
  ]);
  be([granted('publisher', 'own', ['prod'])]);
  expect([await publish('dev'), await publish('prod')]).toEqual(['FORBIDDEN', 'WORKFLOW_NOT_FOUND']);
  be([granted('releaser', 'own')]);
  expect([await publish('dev'), await publish('prod')]).toEqual(['FORBIDDEN', 'WORKFLOW_NOT_FOUND']);
});
