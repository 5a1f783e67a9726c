import { Button } from '@mantine/core';
import { IconPackageOff } from '@tabler/icons-react';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  Outlet,
} from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import type { IncidentManifest } from '../../../../contract/incident.ts';
import { t } from '../../../../lib/language.ts';
import { PageFailure } from '../../../shell/frame/PageFailure.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../../ui/Page.tsx';
import { ownParams } from '../../../ui/search-params.ts';
import { parseJobSearch } from '../../jobs/job-view-search.ts';
import { parseWorkflowSearch } from '../../workflows/workflow-search.ts';

const page = (load: () => Promise<object>, name: string) =>
  lazyRouteComponent(async () => ({
    default: ((await load()) as Record<string, ComponentType>)[name] as ComponentType,
  }));

function NotInBundle(): ReactNode {
  return (
    <Page>
      <PageHeader title={t('Not in this bundle')} />
      <EmptyState
        icon={IconPackageOff}
        title={t('This page is not part of the bundle')}
        action={
          <Button component={Link} to="/jobs">
            {t('Go to the jobs in this bundle')}
          </Button>
        }
      >
        {t(
          'A bundle contains jobs, their tasks, log lines, metrics and versions. For anything else, use the console of its cluster.',
        )}
      </EmptyState>
    </Page>
  );
}

/** The addresses of the console that a bundle has something for. They are not those of the window: its own stays as it is. */
export function makeBundleRouter({ jobId }: IncidentManifest) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotInBundle, errorComponent: PageFailure });
  const under = () => root;
  const jobs = createRoute({
    getParentRoute: under,
    path: '/jobs',
    component: page(() => import('./BundleJobs.tsx'), 'BundleJobs'),
  });
  const job = createRoute({
    getParentRoute: under,
    path: '/jobs/$jobId',
    validateSearch: ownParams(parseJobSearch),
    component: page(() => import('../../jobs/JobPage.tsx'), 'JobPage'),
  });
  const workflow = createRoute({
    getParentRoute: under,
    path: '/workflows/$workflowId',
    validateSearch: ownParams(parseWorkflowSearch),
    component: page(() => import('./BundleWorkflow.tsx'), 'BundleWorkflow'),
  });
  return createRouter({
    routeTree: root.addChildren([jobs, job, workflow]),
    history: createMemoryHistory({ initialEntries: [`/jobs/${jobId}`] }),
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NotInBundle,
  });
}
