import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { type Environment, ENVIRONMENTS } from '../contract/vocabulary.ts';
import { ownParams, textIn, wordIn } from './ui/search-params.ts';
import { searchText } from './ui/search-text.ts';
import { parseExploreSearch } from './features/dashboards/explore-search.ts';
import { parseDashboardSearch } from './features/dashboards/dashboard-search.ts';
import { parseApprovalsSearch } from './features/approvals/approvals-search.ts';
import { parseAlertsSearch } from './features/alerts/alerts-search.ts';
import { parseJobSearch } from './features/jobs/job-view-search.ts';
import { parseJobsSearch } from './features/jobs/jobs-list-search.ts';
import { parseFleetSearch } from './features/fleet/fleet-search.ts';
import { parseFailuresSearch } from './features/failures/failures-search.ts';
import { parseLogsSearch } from './features/logs/logs-search.ts';
import { NotFoundPage } from './shell/not-found/NotFoundPage.tsx';
import { parseOperationsSearch } from './features/operations/operations-search.ts';
import { parseSchedulesSearch } from './features/schedules/schedules-search.ts';
import { parseSettingsSearch } from './features/settings/settings-search.ts';
import { parseWorkersSearch } from './features/workers/workers-search.ts';
import { parseWorkflowSearch } from './features/workflows/workflow-search.ts';
import { parseWorkflowsSearch } from './features/workflows/workflows-search.ts';
import { Root } from './Root.tsx';
import { PageFailure } from './shell/frame/PageFailure.tsx';

// Typed as `object` so that a page may read the router's types (its own search parameters) without a circle.
const page = (load: () => Promise<object>, name: string) =>
  lazyRouteComponent(async () => ({
    default: ((await load()) as Record<string, ComponentType>)[name] as ComponentType,
  }));

/** The environment that the frame is set to, on every page. */
const root = createRootRoute({
  validateSearch: (input: Record<string, unknown>) =>
    ({ env: undefined, ...wordIn(input, 'env', ENVIRONMENTS) }) as { env?: Environment },
  search: { middlewares: [retainSearchParams(['env'])] },
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: PageFailure,
});
const under = () => root;

const overview = createRoute({
  getParentRoute: under,
  path: '/',
  component: page(() => import('./features/overview/OverviewPage.tsx'), 'OverviewPage'),
});
const workflows = createRoute({
  getParentRoute: under,
  path: '/workflows',
  validateSearch: ownParams(parseWorkflowsSearch),
  component: page(() => import('./features/workflows/WorkflowsPage.tsx'), 'WorkflowsPage'),
});
const workflow = createRoute({
  getParentRoute: under,
  path: '/workflows/$workflowId',
  validateSearch: ownParams(parseWorkflowSearch),
  component: page(() => import('./features/workflows/WorkflowPage.tsx'), 'WorkflowPage'),
});
const schedules = createRoute({
  getParentRoute: under,
  path: '/schedules',
  validateSearch: ownParams(parseSchedulesSearch),
  component: page(() => import('./features/schedules/SchedulesPage.tsx'), 'SchedulesPage'),
});
const jobs = createRoute({
  getParentRoute: under,
  path: '/jobs',
  validateSearch: ownParams(parseJobsSearch),
  component: page(() => import('./features/jobs/JobsPage.tsx'), 'JobsPage'),
});
const job = createRoute({
  getParentRoute: under,
  path: '/jobs/$jobId',
  validateSearch: ownParams(parseJobSearch),
  component: page(() => import('./features/jobs/JobPage.tsx'), 'JobPage'),
});
const failures = createRoute({
  getParentRoute: under,
  path: '/failures',
  validateSearch: ownParams(parseFailuresSearch),
  component: page(() => import('./features/failures/FailuresPage.tsx'), 'FailuresPage'),
});
const fleet = createRoute({
  getParentRoute: under,
  path: '/fleet',
  validateSearch: ownParams(parseFleetSearch),
  component: page(() => import('./features/fleet/FleetPage.tsx'), 'FleetPage'),
});
const operations = createRoute({
  getParentRoute: under,
  path: '/operations',
  validateSearch: ownParams(parseOperationsSearch),
  component: page(() => import('./features/operations/OperationsPage.tsx'), 'OperationsPage'),
});
const approvals = createRoute({
  getParentRoute: under,
  path: '/approvals',
  validateSearch: ownParams(parseApprovalsSearch),
  component: page(() => import('./features/approvals/ApprovalsPage.tsx'), 'ApprovalsPage'),
});
const workers = createRoute({
  getParentRoute: under,
  path: '/workers',
  validateSearch: ownParams(parseWorkersSearch),
  component: page(() => import('./features/workers/WorkersPage.tsx'), 'WorkersPage'),
});
const logs = createRoute({
  getParentRoute: under,
  path: '/logs',
  validateSearch: ownParams(parseLogsSearch),
  component: page(() => import('./features/logs/LogsPage.tsx'), 'LogsPage'),
});
const alerts = createRoute({
  getParentRoute: under,
  path: '/alerts',
  validateSearch: ownParams(parseAlertsSearch),
  component: page(() => import('./features/alerts/AlertsPage.tsx'), 'AlertsPage'),
});
const dashboards = createRoute({
  getParentRoute: under,
  path: '/dashboards',
  component: page(() => import('./features/dashboards/DashboardsPage.tsx'), 'DashboardsPage'),
});
const explore = createRoute({
  getParentRoute: under,
  path: '/dashboards/explore',
  validateSearch: ownParams(parseExploreSearch),
  component: page(() => import('./features/dashboards/ExplorePage.tsx'), 'ExplorePage'),
});
const dashboard = createRoute({
  getParentRoute: under,
  path: '/dashboards/$dashboardId',
  validateSearch: ownParams(parseDashboardSearch),
  component: page(() => import('./features/dashboards/DashboardPage.tsx'), 'DashboardPage'),
});
const incident = createRoute({
  getParentRoute: under,
  path: '/incident',
  component: page(() => import('./features/incident/IncidentPage.tsx'), 'IncidentPage'),
});
const cluster = createRoute({
  getParentRoute: under,
  path: '/cluster',
  component: page(() => import('./features/cluster/ClusterPage.tsx'), 'ClusterPage'),
});
const device = createRoute({
  getParentRoute: under,
  path: '/device',
  validateSearch: ownParams((input) => textIn(input, 'code')),
  component: page(() => import('./features/device/DevicePage.tsx'), 'DevicePage'),
});
const settings = createRoute({
  getParentRoute: under,
  path: '/settings',
  validateSearch: ownParams(parseSettingsSearch),
  component: page(() => import('./features/settings/SettingsPage.tsx'), 'SettingsPage'),
});

const routeTree = root.addChildren([
  overview,
  workflows,
  workflow,
  schedules,
  jobs,
  job,
  failures,
  approvals,
  operations,
  workers,
  logs,
  dashboards,
  explore,
  dashboard,
  alerts,
  cluster,
  fleet,
  incident,
  device,
  settings,
]);

/** A log list keeps its own place: a position in pixels says nothing once lines have come or gone. */
const keepsNoOwnPlace = (): boolean => document.querySelector('[data-own-place]') === null;

/** The console's router; search parameters are plain (`?status=FAILED&status=TIMEOUT`), objects JSON. */
export const makeRouter = () =>
  createRouter({
    routeTree,
    stringifySearch: searchText,
    defaultPreload: 'intent',
    scrollRestoration: keepsNoOwnPlace,
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NotFoundPage,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
