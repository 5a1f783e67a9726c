import { disconnectSignal } from '../core/disconnect-signal.ts';
import { route, type App } from '../core/route.ts';

/** How the jobs of workflows went lately. Workflows that the caller may not see are left out. */
export function workflowActivityRoutes(app: App): void {
  const { jobs } = app.services;
  route(app, 'workflowActivity.list', async ({ query, identity, reply }) => {
    const { workflowId, environment, hours = 24, bars = 24 } = query;
    const within = app.scope.within(identity, 'jobs.read', environment);
    const workflowIds = [...new Set([workflowId].flat())].filter((id) => within === null || within.includes(id));
    const asked = { workflowIds, hours, bars, ...(environment !== undefined && { environment }) };
    return { items: workflowIds.length === 0 ? [] : await jobs.activity(asked, disconnectSignal(reply)) };
  });
}
