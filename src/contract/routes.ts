import type { Static, TSchema } from 'typebox';
import { accessRoutes } from './access.ts';
import { alertRoutes } from './alerts.ts';
import { approvalRoutes } from './approvals.ts';
import { channelRoutes } from './alert-channels.ts';
import { clusterRoutes } from './cluster.ts';
import { comparisonRoutes } from './comparisons.ts';
import { dashboardRoutes } from './dashboards.ts';
import { dataHealthRoutes } from './data-health.ts';
import { deviceRoutes } from './device.ts';
import { draftRoutes } from './drafts.ts';
import { workflowActivityRoutes } from './workflow-activity.ts';
import { eventRoutes } from './events.ts';
import { failureRoutes } from './failures.ts';
import { jobRoutes } from './jobs.ts';
import { logRoutes } from './logs.ts';
import { masterRoutes } from './master.ts';
import { metricRoutes } from './metrics.ts';
import { operationRoutes } from './operations.ts';
import { ruleRoutes } from './alert-rules.ts';
import { passkeyRoutes } from './passkeys.ts';
import { projectRoutes } from './projects.ts';
import { scheduleRoutes } from './schedules.ts';
import { secretRoutes } from './secrets.ts';
import { settingRoutes } from './settings.ts';
import { shadowRoutes } from './shadow-replays.ts';
import { streamRoutes } from './stream.ts';
import { taskRoutes } from './tasks.ts';
import { waitRoutes } from './waits.ts';
import { workflowTestRoutes } from './workflow-tests.ts';
import { userRoutes } from './users.ts';
import { webhookRoutes } from './webhooks.ts';
import { workerRoutes } from './workers.ts';
import { workflowRoutes } from './workflows.ts';
import type { Route, Routes } from './shapes.ts';

/**
 * The route table of the master's port, joined from the tables of the nouns. The server registers exactly these,
 * `/api/v1/openapi.json` and `/docs` are drawn from them, callers are typed by them, and the worker role reaches none
 * of them.
 */
export const ROUTES = {
  ...eventRoutes,
  ...workflowRoutes,
  ...draftRoutes,
  ...workflowActivityRoutes,
  ...shadowRoutes,
  ...scheduleRoutes,
  ...workflowTestRoutes,
  ...jobRoutes,
  ...taskRoutes,
  ...operationRoutes,
  ...approvalRoutes,
  ...waitRoutes,
  ...comparisonRoutes,
  ...failureRoutes,
  ...workerRoutes,
  ...logRoutes,
  ...metricRoutes,
  ...dashboardRoutes,
  ...ruleRoutes,
  ...alertRoutes,
  ...channelRoutes,
  ...accessRoutes,
  ...userRoutes,
  ...passkeyRoutes,
  ...projectRoutes,
  ...deviceRoutes,
  ...webhookRoutes,
  ...secretRoutes,
  ...settingRoutes,
  ...streamRoutes,
  ...clusterRoutes,
  ...dataHealthRoutes,
  ...masterRoutes,
} as const satisfies Routes;

export type RouteName = keyof typeof ROUTES;
type Table = typeof ROUTES;
/** What the schema of a part of a route says; undefined where the route has no such part. */
type Part<N extends RouteName, K extends keyof Route> = Table[N] extends { readonly [P in K]: infer S extends TSchema }
  ? Static<S>
  : undefined;

export type Params<N extends RouteName> = Part<N, 'params'>;
export type Query<N extends RouteName> = Part<N, 'query'>;
export type Body<N extends RouteName> = Part<N, 'body'>;
/** What a call answers with where it succeeds; undefined: no body. */
export type Answer<N extends RouteName> = {
  [S in keyof Table[N]['answers']]: Table[N]['answers'][S] extends TSchema ? Static<Table[N]['answers'][S]> : undefined;
}[keyof Table[N]['answers']];
