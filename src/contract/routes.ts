import { accessRoutes } from './access.ts';
import { alertRoutes } from './alerts.ts';
import { channelRoutes } from './alert-channels.ts';
import { comparisonRoutes } from './comparisons.ts';
import { dashboardRoutes } from './dashboards.ts';
import { draftRoutes } from './drafts.ts';
import { eventRoutes } from './events.ts';
import { failureRoutes } from './failures.ts';
import { jobRoutes } from './jobs.ts';
import { logRoutes } from './logs.ts';
import { masterRoutes } from './master.ts';
import { metricRoutes } from './metrics.ts';
import { operationRoutes } from './operations.ts';
import { ruleRoutes } from './alert-rules.ts';
import { secretRoutes } from './secrets.ts';
import { settingRoutes } from './settings.ts';
import { shadowRoutes } from './shadow-replays.ts';
import { streamRoutes } from './stream.ts';
import { taskRoutes } from './tasks.ts';
import { workerRoutes } from './workers.ts';
import { workflowRoutes } from './workflows.ts';
import type { Routes } from './shapes.ts';

/**
 * The route table of the master's port, joined from the tables of the nouns. The server registers exactly these,
 * `/api/v1/openapi.json` and `/docs` are drawn from them, callers are typed by them, and the worker role reaches none
 * of them.
 */
export const ROUTES = {
  ...eventRoutes,
  ...workflowRoutes,
  ...draftRoutes,
  ...shadowRoutes,
  ...jobRoutes,
  ...taskRoutes,
  ...operationRoutes,
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
  ...secretRoutes,
  ...settingRoutes,
  ...streamRoutes,
  ...masterRoutes,
} as const satisfies Routes;

export type RouteName = keyof typeof ROUTES;
