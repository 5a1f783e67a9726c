import type { Action } from './actions.ts';
import { SELF_ROUTES } from './addresses.ts';
import type { RouteName } from './routes.ts';

/**
 * What each route needs of a person with grants, and where. Fail closed: a route that is not here is reached by no person, and
 * one with `in: 'all'` is reached by a grant of all projects and environments alone.
 */
export interface RouteScope {
  readonly action: Action;
  /** Lets in as well; which of the two it takes is for the handler. */
  readonly or?: Action;
  readonly in: ScopeKind;
}

/** What the parameter of a path may name. */
export type ObjectKind =
  | 'workflow'
  | 'job'
  | 'task'
  | 'failure'
  | 'replay'
  | 'operation'
  | 'rule'
  | 'alert'
  | 'key'
  | 'secret'
  | 'dashboard'
  | 'webhook'
  | 'schedule';

export type ScopeKind =
  /** What belongs to no project. */
  | 'all'
  /** A list, which holds only what the person may read. */
  | 'list'
  /** The handler checks what the body names. */
  | 'body'
  /** Only what is the caller's own. */
  | 'own'
  | {
      /** Parameter by parameter what it names: all of them have to lie in projects where the action is allowed. */
      readonly of: Readonly<Record<string, ObjectKind>>;
    };

const all = (action: Action): RouteScope => ({ action, in: 'all' });
const list = (action: Action): RouteScope => ({ action, in: 'list' });
const body = (action: Action): RouteScope => ({ action, in: 'body' });
const own: RouteScope = { action: 'workflows.read', in: 'own' };
const workflow = (action: Action): RouteScope => ({ action, in: { of: { id: 'workflow' } } });
const job = (action: Action): RouteScope => ({ action, in: { of: { jobId: 'job' } } });
const task = (action: Action): RouteScope => ({ action, in: { of: { taskId: 'task' } } });
const failure = (action: Action): RouteScope => ({ action, in: { of: { id: 'failure' } } });
const replay = (action: Action): RouteScope => ({ action, in: { of: { id: 'replay' } } });
const operation = (action: Action): RouteScope => ({ action, in: { of: { id: 'operation' } } });
const rule = (action: Action): RouteScope => ({ action, in: { of: { id: 'rule' } } });
const alert = (action: Action): RouteScope => ({ action, in: { of: { id: 'alert' } } });
const key = (action: Action): RouteScope => ({ action, in: { of: { id: 'key' } } });
const secret = (action: Action): RouteScope => ({ action, in: { of: { name: 'secret' } } });
const dashboard = (action: Action): RouteScope => ({ action, in: { of: { id: 'dashboard' } } });
const webhook = (action: Action): RouteScope => ({ action, in: { of: { id: 'webhook' } } });
const schedule = (action: Action): RouteScope => ({ action, in: { of: { id: 'schedule' } } });
const twoJobs = (action: Action): RouteScope => ({ action, in: { of: { jobId: 'job', otherId: 'job' } } });

const ROUTE_SCOPES = {
  'workflows.list': list('workflows.read'),
  'workflows.create': body('workflows.write'),
  'workflows.get': workflow('workflows.read'),
  'workflows.update': workflow('workflows.write'),
  'workflows.archive': workflow('workflows.archive'),
  'workflows.check': workflow('workflows.read'),
  'commits.create': workflow('workflows.write'),
  'commits.list': workflow('workflows.read'),
  'commits.get': workflow('workflows.read'),
  'commits.diff': workflow('workflows.read'),
  'commits.tag': workflow('workflows.write'),
  'commits.untag': workflow('workflows.write'),
  'workflows.environments': workflow('workflows.read'),
  'workflows.publish': { action: 'workflows.publish', in: 'body' },
  'workflows.unpublish': { action: 'workflows.publish', in: 'body' },
  'publications.list': workflow('workflows.read'),
  'publications.impact': workflow('workflows.read'),
  'drafts.run': workflow('workflows.write'),
  'drafts.get': workflow('payload.read'),
  'shadowReplays.start': workflow('workflows.write'),
  'shadowReplays.list': workflow('workflows.read'),
  'shadowReplays.get': replay('workflows.read'),
  'shadowReplays.results': replay('payload.read'),
  'shadowReplays.result': replay('payload.read'),
  'shadowReplays.abort': replay('workflows.write'),
  'shadowIgnores.get': workflow('workflows.read'),
  'shadowIgnores.replace': workflow('workflows.write'),
  'schedules.list': list('workflows.read'),
  'schedules.create': body('workflows.publish'),
  'schedules.preview': list('workflows.read'),
  'schedules.get': schedule('workflows.read'),
  // In prod it takes `publish.prod`.
  'schedules.update': schedule('workflows.publish'),
  'schedules.delete': schedule('workflows.publish'),
  'schedules.pause': schedule('workflows.publish'),
  'schedules.resume': schedule('workflows.publish'),
  'schedules.run': schedule('jobs.operate'),
  'schedules.runs': schedule('jobs.read'),
  'schedules.backfill': schedule('jobs.operate'),
  'workflowTests.get': workflow('payload.read'),
  'workflowTests.replace': workflow('workflows.write'),
  'workflowTests.run': workflow('workflows.write'),
  'workflowTests.record': workflow('workflows.write'),
  'workflowActivity.list': list('jobs.read'),
  'jobs.list': list('jobs.read'),
  'jobs.create': body('jobs.operate'),
  'jobs.get': job('jobs.read'),
  'jobs.input': job('payload.read'),
  'jobs.output': job('payload.read'),
  'jobs.graph': job('jobs.read'),
  'jobs.kill': job('jobs.operate'),
  'jobs.export': list('jobs.read'),
  'jobs.incidentBundle': job('payload.read'),
  'jobs.rerun': job('jobs.operate'),
  'jobs.retry': job('jobs.operate'),
  'tasks.list': job('jobs.read'),
  'tasks.get': task('jobs.read'),
  'tasks.retry': task('jobs.operate'),
  'tasks.why': task('jobs.read'),
  'tasks.failure': task('jobs.read'),
  'tasks.input': task('payload.read'),
  'tasks.output': task('payload.read'),
  'operations.kill': body('jobs.operate'),
  'approvals.list': list('workflows.read'),
  'approvals.get': body('workflows.read'),
  'approvals.jobs': body('workflows.read'),
  // What is asked for decides what it takes.
  'approvals.decide': { action: 'workflows.publish', or: 'jobs.operate', in: 'body' },
  'approvals.withdraw': body('workflows.publish'),
  'approvals.link': body('jobs.operate'),
  'waits.list': list('jobs.read'),
  'jobs.signal': job('jobs.operate'),
  'jobs.signalLink': job('jobs.operate'),
  'operations.retry': body('jobs.operate'),
  'operations.rerun': body('jobs.operate'),
  'operations.list': list('jobs.read'),
  'operations.get': operation('jobs.read'),
  'operations.results': operation('jobs.read'),
  'operations.abort': operation('jobs.operate'),
  'jobs.compare': twoJobs('payload.read'),
  'jobs.compareValues': twoJobs('payload.read'),
  'jobs.compareLogs': twoJobs('logs.read'),
  'failures.list': list('jobs.read'),
  'failures.get': failure('jobs.read'),
  'failures.resolve': failure('jobs.operate'),
  'failures.ignore': failure('jobs.operate'),
  'failures.reopen': failure('jobs.operate'),
  'failures.retry': failure('jobs.operate'),
  'workers.list': all('master.read'),
  'workers.get': all('master.read'),
  'workers.tasks': all('jobs.read'),
  'workers.drain': all('workers.operate'),
  'workers.resume': all('workers.operate'),
  'workers.forget': all('workers.operate'),
  'logs.search': list('logs.read'),
  'logs.tail': list('logs.read'),
  'logs.hits': list('logs.read'),
  'logs.context': list('logs.read'),
  'logs.export': list('logs.read'),
  'logs.fields': list('logs.read'),
  'logs.values': list('logs.read'),
  'logs.pipeline': all('master.read'),
  'deadLetters.list': all('logs.read'),
  'deadLetters.replay': all('master.operate'),
  'deadLetters.discard': all('master.operate'),
  'metrics.query': list('metrics.read'),
  'metrics.names': list('metrics.read'),
  'metrics.tags': list('metrics.read'),
  'metrics.tagValues': list('metrics.read'),
  'metrics.series': list('metrics.read'),
  'dashboards.list': list('metrics.read'),
  'dashboards.create': body('dashboards.write'),
  'dashboards.get': dashboard('metrics.read'),
  'dashboards.update': dashboard('dashboards.write'),
  'dashboards.delete': dashboard('dashboards.write'),
  'dashboards.exportGrafana': all('metrics.read'),
  'alertRules.list': list('metrics.read'),
  'alertRules.create': body('alerts.manage'),
  'alertRules.preview': body('metrics.read'),
  'alertRules.get': rule('metrics.read'),
  'alertRules.update': rule('alerts.manage'),
  'alertRules.delete': rule('alerts.manage'),
  'alerts.list': list('metrics.read'),
  'alerts.history': list('metrics.read'),
  'alerts.acknowledge': alert('alerts.operate'),
  'alerts.unacknowledge': alert('alerts.operate'),
  'silences.list': all('metrics.read'),
  'silences.create': all('alerts.operate'),
  'silences.expire': all('alerts.operate'),
  'channels.list': all('metrics.read'),
  'channels.create': all('alerts.manage'),
  'channels.previewTemplate': all('metrics.read'),
  'channels.get': all('metrics.read'),
  'channels.update': all('alerts.manage'),
  'channels.delete': all('alerts.manage'),
  'channels.test': all('alerts.manage'),
  'alertPolicy.get': all('metrics.read'),
  'alertPolicy.replace': all('alerts.manage'),
  'keys.list': list('master.read'),
  'keys.create': body('keys.manage'),
  'keys.update': key('keys.manage'),
  'keys.revoke': key('keys.manage'),
  'keys.rotate': key('keys.manage'),
  'tokens.list': all('master.read'),
  'tokens.create': all('people.manage'),
  'tokens.workers': all('master.read'),
  'tokens.revoke': all('people.manage'),
  'users.list': all('master.read'),
  'users.get': all('master.read'),
  'users.create': all('people.manage'),
  'users.update': all('people.manage'),
  'users.delete': all('people.manage'),
  'users.resetPassword': all('people.manage'),
  'users.tokens': all('people.manage'),
  'users.left': all('people.manage'),
  'users.revokeLeft': all('people.manage'),
  'users.createToken': all('people.manage'),
  'passkeys.listOf': all('people.manage'),
  'passkeys.removeOf': all('people.manage'),
  'audit.list': all('audit.read'),
  'audit.verify': all('audit.read'),
  'projects.list': list('workflows.read'),
  'projects.create': all('people.manage'),
  'projects.update': all('people.manage'),
  'projects.delete': all('people.manage'),
  'roles.list': own,
  'roles.set': all('people.manage'),
  'roles.delete': all('people.manage'),
  'grants.list': all('master.read'),
  'grants.create': all('people.manage'),
  'grants.delete': all('people.manage'),
  'webhooks.list': list('workflows.read'),
  'webhooks.create': body('workflows.publish'),
  'webhooks.preview': body('workflows.publish'),
  'webhooks.get': webhook('workflows.read'),
  // As publishing to its environment, which the handler knows.
  'webhooks.update': body('workflows.publish'),
  'webhooks.delete': body('workflows.publish'),
  'webhooks.rotate': body('workflows.publish'),
  'webhooks.deliveries': webhook('payload.read'),
  'webhooks.delivery': webhook('payload.read'),
  'webhooks.replay': webhook('jobs.operate'),
  'secrets.list': list('master.read'),
  'secrets.set': body('secrets.manage'),
  'secrets.update': secret('secrets.manage'),
  'secrets.delete': secret('secrets.manage'),
  'settings.get': all('master.read'),
  'settings.update': all('settings.manage'),
  'live.stream': list('jobs.read'),
  'cluster.get': all('master.read'),
  'cluster.handover': all('settings.manage'),
  'cluster.rebuildProjection': all('settings.manage'),
  'cluster.dropProjection': all('settings.manage'),
  'data.health': all('master.read'),
  'data.check': all('master.operate'),
  'master.overview': list('jobs.read'),
  'master.find': list('workflows.read'),
  'master.backup': all('settings.manage'),
  'master.prepareBackup': all('settings.manage'),
  'master.downloadBackup': all('settings.manage'),
  'master.metrics': all('master.read'),
} as const satisfies Readonly<Partial<Record<RouteName, RouteScope>>>;

/** Null: it takes no role, or it is reached by no person. A route for everybody's own (`self`) needs no more than that. */
export const scopeOf = (name: RouteName): RouteScope | null =>
  (ROUTE_SCOPES as Partial<Record<RouteName, RouteScope>>)[name] ?? (SELF_ROUTES.includes(name) ? own : null);
