import type { Environment } from './vocabulary.ts';

/** What a role allows. Plain data: the console disables by the same table what the master refuses. */

export const ACTIONS = [
  'workflows.read',
  'workflows.write',
  'workflows.publish',
  'publish.prod',
  'workflows.archive',
  'jobs.read',
  'jobs.operate',
  'payload.read',
  'payload.unmasked',
  'logs.read',
  'metrics.read',
  'dashboards.write',
  'alerts.operate',
  'alerts.manage',
  'workers.operate',
  'master.read',
  'master.operate',
  'keys.manage',
  'secrets.manage',
  'settings.manage',
  'people.manage',
  'audit.read',
] as const;
export type Action = (typeof ACTIONS)[number];

export const BUILT_IN_ROLES = ['viewer', 'operator', 'author', 'publisher', 'admin'] as const;
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];
export const isBuiltInRole = (role: string): role is BuiltInRole =>
  (BUILT_IN_ROLES as readonly string[]).includes(role);

const VIEWER: readonly Action[] = [
  'workflows.read',
  'jobs.read',
  'payload.read',
  'logs.read',
  'metrics.read',
  'master.read',
  'audit.read',
];
const AUTHOR: readonly Action[] = [...VIEWER, 'workflows.write', 'workflows.publish'];
const OPERATOR: readonly Action[] = [
  ...AUTHOR,
  'jobs.operate',
  'dashboards.write',
  'alerts.operate',
  'workers.operate',
  'master.operate',
];

/** The built-in roles. A viewer, operator or admin of everything may do what a token of that role may. */
export const ROLE_ACTIONS: Readonly<Record<BuiltInRole, readonly Action[]>> = {
  viewer: VIEWER,
  operator: OPERATOR,
  author: AUTHOR,
  publisher: [...AUTHOR, 'publish.prod'],
  admin: ACTIONS,
};

/** What reaches further than its name says: told to whoever puts it into a role. */
export const FAR_REACHING: Readonly<Partial<Record<Action, string>>> = {
  'keys.manage':
    'makes API keys, which start jobs and read outputs; the holder also needs jobs.operate and payload.read there',
  'secrets.manage': 'sets scopes of secrets: together with workflows.publish or publish.prod, their values can be read',
  'settings.manage':
    'limits and handover; retention, protection, sign-in, private networks and backups stay with administrators',
  'people.manage':
    'makes and disables accounts and projects, and revokes tokens; roles, groups, passwords and administrators stay with administrators',
  'alerts.manage': 'sends alerts, with values and labels, to addresses of its choice',
};

/** Actions that the environments of a grant limit; what has no environment, as a draft run, then needs a grant without. */
export const ENVIRONMENT_ACTIONS: ReadonlySet<Action> = new Set<Action>([
  'jobs.operate',
  'payload.read',
  'payload.unmasked',
  'workflows.publish',
  'publish.prod',
  'keys.manage',
  'secrets.manage',
]);

/** What publishing to an environment takes. */
export const publishAction = (environment: Environment): Action =>
  environment === 'prod' ? 'publish.prod' : 'workflows.publish';

/** The project of workflows that name none. */
export const DEFAULT_PROJECT = 'default';
