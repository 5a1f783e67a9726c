import {
  IconBell,
  IconBug,
  IconCalendarTime,
  IconChecks,
  IconGauge,
  IconLayoutDashboard,
  IconListDetails,
  IconLogs,
  IconRoute,
  IconServer2,
  IconSettings,
  IconSitemap,
  IconTopologyStar3,
  type TablerIcon,
} from '@tabler/icons-react';
import type { RouteName } from '../../../contract/routes.ts';
import { t } from '../../../lib/language.ts';
import { desktop } from '../../stores/desktop.ts';
import { reaches, type Rights } from '../../stores/permissions.ts';

export interface NavEntry {
  to:
    | '/'
    | '/workflows'
    | '/schedules'
    | '/jobs'
    | '/failures'
    | '/workers'
    | '/logs'
    | '/dashboards'
    | '/alerts'
    | '/approvals'
    | '/cluster'
    | '/fleet'
    | '/settings';
  label: string;
  icon: TablerIcon;
  /** Second key after `g`. */
  key: string;
  /** What the page reads: without it, it is not offered. */
  needs?: RouteName;
}

/** In the order of the menu. A browser sees one cluster: there the fleet is found by the palette and its address alone. */
export const navEntries = (withApprovals = false): readonly NavEntry[] => [
  { to: '/', label: t('Overview'), icon: IconGauge, key: 'o', needs: 'master.overview' },
  { to: '/workflows', label: t('Workflows'), icon: IconRoute, key: 'w', needs: 'workflows.list' },
  { to: '/schedules', label: t('Schedules'), icon: IconCalendarTime, key: 'h', needs: 'schedules.list' },
  { to: '/jobs', label: t('Jobs'), icon: IconListDetails, key: 'j', needs: 'jobs.list' },
  { to: '/failures', label: t('Failures'), icon: IconBug, key: 'f', needs: 'failures.list' },
  { to: '/workers', label: t('Workers'), icon: IconServer2, key: 'k', needs: 'workers.list' },
  { to: '/logs', label: t('Logs'), icon: IconLogs, key: 'l', needs: 'logs.search' },
  { to: '/dashboards', label: t('Dashboards'), icon: IconLayoutDashboard, key: 'd', needs: 'dashboards.list' },
  { to: '/alerts', label: t('Alerts'), icon: IconBell, key: 'a', needs: 'alerts.list' },
  ...(withApprovals ? [approvalsEntry()] : []),
  { to: '/cluster', label: t('Cluster'), icon: IconSitemap, key: 'm', needs: 'cluster.get' },
  ...(desktop() ? [fleetEntry()] : []),
  { to: '/settings', label: t('Settings'), icon: IconSettings, key: 's' },
];

/** In the menu while something waits for a second person; else it is found by the palette. */
export const approvalsEntry = (): NavEntry => ({
  to: '/approvals',
  label: t('Approvals'),
  icon: IconChecks,
  key: 'q',
  needs: 'approvals.list',
});

export const fleetEntry = (): NavEntry => ({ to: '/fleet', label: t('Fleet'), icon: IconTopologyStar3, key: 'c' });

/** A page of the jobs, without a place of its own in the menu. */
export const operationsEntry = () =>
  ({ to: '/operations', label: t('Operations'), key: 'p', needs: 'operations.list' }) as const;

/** Whether a page is for those with these rights. */
export const isFor = (rights: Rights, { needs }: Pick<NavEntry, 'needs'>): boolean =>
  needs === undefined || reaches(rights, needs);

/** What a page is an entry of. */
export const entryAt = (pathname: string): Pick<NavEntry, 'label' | 'needs'> | undefined =>
  [...navEntries(true), operationsEntry()].find(({ to }) =>
    to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`),
  );
