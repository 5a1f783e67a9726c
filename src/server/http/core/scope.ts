import { publishAction, type Action } from '../../../contract/actions.ts';
import { workflowIdForDraft } from '../../../contract/draft-ids.ts';
import type { ObjectKind, RouteScope } from '../../../contract/route-scopes.ts';
import type { RouteName } from '../../../contract/routes.ts';
import type { MaskPath } from '../../../lib/mask-paths.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { jobQueryTerms } from '../../../lib/job-query/parse.ts';
import { searchesInputs } from '../../../lib/job-query/split.ts';
import type { Holding, Identity, Place, Who } from '../../access/port.ts';
import type { BulkPlace } from '../../jobs/port.ts';
import type { Services } from './services.ts';

/**
 * A filter of jobs as it holds for the caller: only what they may see (and what else is to be done with them), and of a
 * project its workflows. Who searches in inputs sees of each job whether it matches: that takes `payload.read`.
 */
export function filterWithin<
  F extends { project?: string; input?: unknown; text?: unknown; query?: string; environment?: Environment },
>(
  scope: Pick<Scope, 'within' | 'searchable' | 'workflowsOf'>,
  identity: Identity,
  { project, ...asked }: F,
  action: Action = 'jobs.read',
): Omit<F, 'project'> & { within?: readonly string[] } {
  const lists = [
    scope.within(identity, 'jobs.read'),
    action === 'jobs.read' ? null : scope.within(identity, action, asked.environment),
    readsInputs(asked) ? scope.searchable(identity) : null,
    project === undefined ? null : scope.workflowsOf(project),
  ].filter((list) => list !== null);
  const [first, ...others] = lists;
  if (first === undefined) return asked;
  const sets = others.map((list) => new Set(list));
  return { ...asked, within: first.filter((id) => sets.every((set) => set.has(id))) };
}

/** True where a filter tells what is in the inputs of jobs. */
export const readsInputs = ({
  input,
  text,
  query,
}: {
  input?: unknown;
  text?: unknown;
  query?: string | undefined;
}): boolean =>
  input !== undefined || text !== undefined || (query !== undefined && searchesInputs(jobQueryTerms(query)));

/** What somebody with grants may reach. For who has none (programs' tokens) nothing is looked up. */
export interface Scope {
  /** Before anything is read: throws FORBIDDEN where the route is reached by no grant at all. */
  enter(who: Identity, route: RouteScope): void;
  /** Once parameters are checked. Throws FORBIDDEN, and what an unknown object throws for one that must not be seen. */
  check(who: Identity, route: RouteScope, params: Readonly<Record<string, string>>): Promise<void>;
  /** The same for a workflow that a body names. */
  workflow(who: Identity, action: Action, workflowId: string, environment: Environment | null): void;
  /**
   * In a project itself; in each of the environments, or in all (null). Throws FORBIDDEN, and PROJECT_NOT_FOUND where it
   * must not be seen.
   */
  project(who: Identity, action: Action, project: string, environments?: readonly Environment[] | null): void;
  /** What a list holds of that which belongs to projects; null: all. */
  holdings(who: Who, action: Action): ((holding: Holding) => boolean) | null;
  /** Throws as for an unknown job. */
  job(who: Identity, action: Action, jobId: string): Promise<void>;
  task(who: Identity, action: Action, taskId: string): Promise<void>;
  /** True for a workflow (or its drafts) where the action is allowed. */
  sees(who: Who, action: Action, workflowId: string): boolean;
  /** True for a job that is there and that they may see. */
  seesJob(who: Who, jobId: string): Promise<boolean>;
  /** True where somebody who sees the job may read its payloads, too. */
  readsPayloads(who: Who, jobId: string): Promise<boolean>;
  /** True where somebody may read payloads of a workflow in each environment, and none of its fields is masked for them. */
  seesInputsOf(who: Who, workflowId: string): boolean;
  /** Throws FORBIDDEN where the action is not allowed in all projects and environments. */
  everywhere(who: Identity, action: Action): void;
  /** The same of those whose payloads may be searched: without masks, which a search would see past. */
  searchable(who: Identity): readonly string[] | null;
  /**
   * Fields that are masked in an answer with payloads; null: none. Throws FORBIDDEN for answers in which they cannot be masked.
   */
  masks(
    who: Identity,
    name: RouteName,
    route: RouteScope,
    params: Readonly<Record<string, string>>,
  ): Promise<readonly MaskPath[] | null>;
  /** IDs of the workflows where the action is allowed in all environments, or in this one; null: all. Throws FORBIDDEN where it is in none. */
  within(who: Who & { readonly actor: string }, action: Action, environment?: Environment): readonly string[] | null;
  /** True where the action is allowed in each of the places; where these are not known, in all projects and environments. */
  inAll(who: Who, action: Action, places: readonly BulkPlace[] | null): boolean;
  /** IDs of the workflows of a project, whoever asks; none of an unknown one. */
  workflowsOf(project: string): readonly string[];
}

export function createScope(
  services: Pick<
    Services,
    'access' | 'workflows' | 'jobs' | 'shadow' | 'secrets' | 'dashboards' | 'alerts' | 'webhooks' | 'schedules'
  >,
): Scope {
  const { access, workflows, jobs, shadow, secrets, dashboards, alerts, webhooks, schedules } = services;
  const { policy } = access;
  const { masks } = access.projects;

  const placeOf = (workflowId: string, environment: Environment | null): Place | null => {
    const project = workflows.projectOf(workflowIdForDraft(workflowId));
    return project === null ? null : { project, environment };
  };

  /** `unknown` throws what an object throws that is not there. */
  function require(who: Identity, action: Action, place: Place | null, seen: Action, unknown: () => never): void {
    // What lies in no known workflow is shown to those who see everything.
    if (policy.may(who, action, place)) return;
    if (!policy.may(who, seen, place)) unknown();
    throw refusal(who, action, place);
  }

  async function checkOne(who: Identity, kind: ObjectKind, action: Action, id: string): Promise<void> {
    try {
      if (kind === 'operation') {
        const places = jobs.operations.places(id);
        if (inAll(who, action, places)) return;
        if (!inAll(who, SEEN.operation, places)) unknown.operation(id);
        throw refusal(who, action, null);
      }
      if (isHeld(kind)) return requireHeld(who, action, held[kind](id), kind, id);
      const place = await lookUp[kind](id);
      const needed = kind === 'schedule' && action === 'workflows.publish' ? publishActionAt(place) : action;
      require(who, needed, place, SEEN[kind], () => unknown[kind](id));
    } catch (error) {
      // In one form for what is not there and for what must not be seen.
      if (error instanceof Fault && error.code.endsWith('_NOT_FOUND')) unknown[kind](id);
      throw error;
    }
  }

  /** Whoever changes what is of several environments needs them all; who sees it, one. */
  function requireHeld(who: Identity, action: Action, holding: Holding | null, kind: keyof typeof held, id: string) {
    // Those that are built in are everybody's.
    if (holding === null) return;
    const lacking = lackingIn(who, action, holding);
    if (lacking === null) return;
    if (!policy.mayInSome(who, SEEN[kind], holding)) unknown[kind](id);
    throw refusal(who, action, lacking);
  }

  /** The first place of them where it is not allowed. */
  function lackingIn(who: Identity, action: Action, { project, environments }: Holding): Place | null {
    const places = (environments ?? [null]).map((environment) => ({ project, environment }));
    return places.find((place) => !policy.may(who, action, place)) ?? null;
  }

  const held = {
    key: (id: string): Holding | null => access.keys.holding(id),
    secret: (name: string): Holding | null => secrets.find(name) ?? unknown.secret(name),
    dashboard(id: string): Holding | null {
      const { project } = dashboards.get(id);
      return project === undefined ? null : { project, environments: null };
    },
  };
  const isHeld = (kind: ObjectKind): kind is keyof typeof held => Object.hasOwn(held, kind);

  async function jobPlace(jobId: string): Promise<Place | null> {
    const { workflowId, environment } = await jobs.get(jobId);
    return placeOf(workflowId, environment);
  }

  /** A rule about everything is of no project. */
  const rulePlace = (id: string): Place | null => {
    const { project } = alerts.rules.get(id);
    return project === undefined ? null : { project, environment: null };
  };

  const lookUp = {
    rule: async (id: string): Promise<Place | null> => rulePlace(id),
    // An alert is named `<rule>:<fingerprint>`.
    alert: async (id: string): Promise<Place | null> => rulePlace(id.split(':')[0] ?? ''),
    workflow: async (id: string): Promise<Place | null> => placeOf(id, null),
    job: jobPlace,
    task: async (id: string): Promise<Place | null> => jobPlace((await jobs.task(id)).jobId),
    failure: async (id: string): Promise<Place | null> => placeOf((await jobs.failures.get(id)).workflowId, null),
    webhook: async (id: string): Promise<Place | null> => {
      const { workflowId, environment } = webhooks.get(id);
      return placeOf(workflowId, environment);
    },
    schedule: async (id: string): Promise<Place | null> => {
      const { workflowId, environment } = await schedules.get(id);
      return placeOf(workflowId, environment);
    },
    replay: async (id: string): Promise<Place | null> => placeOf(shadow.get(id).workflowId, null),
  };
  const unknown = {
    workflow: (id: string): never => {
      throw new Fault('WORKFLOW_NOT_FOUND', `workflow ${JSON.stringify(id.slice(0, 100))} not found`, {
        extra: { workflowId: id.slice(0, 100) },
      });
    },
    job: (id: string): never => {
      throw new Fault('JOB_NOT_FOUND', `job ${id} not found`);
    },
    task: (id: string): never => {
      throw new Fault('TASK_NOT_FOUND', `task ${id} not found`);
    },
    failure: (id: string): never => {
      throw new Fault('FAILURE_NOT_FOUND', `failure group ${id.slice(0, 100)} not found`);
    },
    replay: (id: string): never => {
      throw new Fault('SHADOW_NOT_FOUND', `backtest ${id} not found`);
    },
    rule: (id: string): never => {
      throw new Fault('ALERT_RULE_NOT_FOUND', `alert rule ${id.slice(0, 100)} not found`);
    },
    alert: (id: string): never => {
      throw new Fault('ALERT_NOT_FOUND', `alert ${id.slice(0, 100)} not found`);
    },
    operation: (id: string): never => {
      throw new Fault('OPERATION_NOT_FOUND', `operation ${id} not found`);
    },
    key: (id: string): never => {
      throw new Fault('KEY_NOT_FOUND', `active API key ${id.slice(0, 100)} not found`);
    },
    secret: (name: string): never => {
      throw new Fault('SECRET_NOT_FOUND', `secret ${name.slice(0, 100)} not found`);
    },
    webhook: (id: string): never => {
      throw new Fault('WEBHOOK_NOT_FOUND', `webhook ${id.slice(0, 100)} not found`);
    },
    schedule: (id: string): never => {
      throw new Fault('SCHEDULE_NOT_FOUND', `schedule ${id.slice(0, 100)} not found`);
    },
    dashboard: (id: string): never => {
      throw new Fault('DASHBOARD_NOT_FOUND', `dashboard ${id.slice(0, 100)} not found`);
    },
  };
  const SEEN = {
    workflow: 'workflows.read',
    job: 'jobs.read',
    task: 'jobs.read',
    failure: 'jobs.read',
    replay: 'workflows.read',
    schedule: 'workflows.read',
    operation: 'jobs.read',
    rule: 'metrics.read',
    alert: 'metrics.read',
    key: 'master.read',
    secret: 'master.read',
    dashboard: 'metrics.read',
    webhook: 'workflows.read',
  } as const;

  function within(
    who: Who & { readonly actor: string },
    action: Action,
    environment?: Environment,
  ): readonly string[] | null {
    if (who.grants === null) return null;
    const projects = policy.projects(who, action, environment);
    if (projects === null) return null;
    if (projects.size === 0) throw refusal(who, action, null);
    return workflows.idsIn([...projects]);
  }

  /** What is about no job is nobody's but of those who see everything. */
  function inAll(who: Who, action: Action, places: readonly BulkPlace[] | null): boolean {
    if (who.grants === null || policy.may(who, action, null)) return true;
    return (
      places !== null &&
      places.length > 0 &&
      places.every(([workflowId, environment]) => policy.may(who, action, placeOf(workflowId, environment)))
    );
  }

  return {
    enter(who, { action, or, in: where }) {
      if (who.grants === null || where === 'own') return;
      const allowed =
        where === 'all'
          ? policy.may(who, action, null)
          : [action, ...(or ? [or] : [])].some((one) => mayEnter(who, one));
      if (!allowed) throw refusal(who, action, null);
    },
    async check(who, { action, in: where }, params) {
      if (who.grants === null || typeof where === 'string') return;
      for (const [name, kind] of Object.entries(where.of)) {
        await checkOne(who, kind, action, params[name] ?? '');
      }
    },
    workflow(who, action, workflowId, environment) {
      if (who.grants === null) return;
      require(who, action, placeOf(workflowId, environment), 'workflows.read', () => unknown.workflow(workflowId));
    },
    project(who, action, project, environments = null) {
      const lacking = who.grants === null ? null : lackingIn(who, action, { project, environments });
      if (lacking === null) return;
      if (!policy.may(who, 'workflows.read', { project, environment: null }))
        throw new Fault('PROJECT_NOT_FOUND', `project ${project.slice(0, 100)} not found`);
      throw refusal(who, action, lacking);
    },
    holdings: (who, action) => (who.grants === null ? null : (holding) => policy.mayInSome(who, action, holding)),
    async job(who, action, jobId) {
      if (who.grants !== null) await checkOne(who, 'job', action, jobId);
    },
    async task(who, action, taskId) {
      if (who.grants !== null) await checkOne(who, 'task', action, taskId);
    },
    async masks(who, name, { action, in: where }, params) {
      if (name === 'workers.tasks')
        return policy.may(who, 'payload.unmasked', null) ? null : [...masks.values()].flat();
      if (typeof where === 'string' || !(action === 'payload.read' || MASKED.has(name) || WITH_PAYLOADS.has(name)))
        return null;
      const paths: MaskPath[] = [];
      for (const [param, kind] of Object.entries(where.of)) {
        const place = isHeld(kind) || kind === 'operation' ? null : await lookUp[kind](params[param] ?? '');
        const some = place && masks.get(place.project);
        if (some && !policy.may(who, 'payload.unmasked', place)) paths.push(...some);
      }
      if (paths.length === 0) return null;
      if (!MASKED.has(name))
        throw new Fault(
          'FORBIDDEN',
          'fields of this project are masked, which this answer cannot be: it needs payload.unmasked',
          { extra: { action: 'payload.unmasked' } },
        );
      return paths;
    },
    async seesJob(who, jobId) {
      if (who.grants === null) return true;
      try {
        return policy.may(who, 'jobs.read', await jobPlace(jobId));
      } catch (error) {
        if (error instanceof Fault && error.code === 'JOB_NOT_FOUND') return false;
        throw error;
      }
    },
    readsPayloads: async (who, jobId) => who.grants === null || policy.may(who, 'payload.read', await jobPlace(jobId)),
    seesInputsOf(who, workflowId) {
      if (who.grants === null && masks.size === 0) return true;
      const place = placeOf(workflowId, null);
      const isMasked = place !== null && masks.has(place.project) && !policy.may(who, 'payload.unmasked', place);
      return policy.may(who, 'payload.read', place) && !isMasked;
    },
    everywhere(who, action) {
      if (!policy.may(who, action, null)) throw refusal(who, action, null);
    },
    sees: (who, action, workflowId) => who.grants === null || policy.may(who, action, placeOf(workflowId, null)),
    within,
    inAll,
    workflowsOf: (project) => workflows.idsIn([project]),
    searchable(who) {
      const read = within(who, 'payload.read');
      if (masks.size === 0) return read;
      const unmasked = policy.projects(who, 'payload.unmasked');
      if (unmasked === null) return read;
      const masked = new Set(workflows.idsIn([...masks.keys()].filter((id) => !unmasked.has(id))));
      const all = read ?? workflows.idsIn(access.projects.list().map(({ id }) => id));
      return all.filter((id) => !masked.has(id));
    },
  };

  /** Publishing to prod is an action of its own: who may do that alone still comes as far as the handler, which knows the environment. */
  function mayEnter(who: Identity, action: Action): boolean {
    return (
      policy.mayAnywhere(who, action) || (action === 'workflows.publish' && policy.mayAnywhere(who, 'publish.prod'))
    );
  }
}

/** What starts by itself in an environment is decided by who may publish there. */
const publishActionAt = (place: Place | null): Action => publishAction(place?.environment ?? 'dev');

/** Answers in which fields can be masked; those of a list are cut, and hidden where they are. */
const MASKED: ReadonlySet<RouteName> = new Set<RouteName>([
  'jobs.input',
  'jobs.output',
  'tasks.list',
  'tasks.get',
  'tasks.retry',
  'tasks.input',
  'tasks.output',
]);

/** Routes for those who write workflows, whose answers hold payloads all the same. */
const WITH_PAYLOADS: ReadonlySet<RouteName> = new Set<RouteName>([
  'drafts.run',
  'workflowTests.record',
  'workflowTests.run',
]);

const refusal = ({ actor }: { readonly actor: string }, action: Action, place: Place | null): Fault =>
  new Fault(
    'FORBIDDEN',
    `${actor} may not ${action}${place === null ? ' here' : ` in project ${place.project}${place.environment === null ? '' : ` (${place.environment})`}`}; an admin can give a role that allows it`,
    { extra: { action } },
  );
