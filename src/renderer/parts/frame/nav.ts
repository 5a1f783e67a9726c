import { IconBell, IconBug, IconGauge, IconLayoutDashboard, IconListDetails, IconLogs, IconRoute, IconServer2, IconSettings, type TablerIcon } from '@tabler/icons-react';

export interface NavEntry {
  to: '/' | '/workflows' | '/jobs' | '/failures' | '/workers' | '/logs' | '/dashboards' | '/alerts' | '/settings';
  label: string;
  icon: TablerIcon;
  /** Second key after `g`. */
  key: string;
}

export const NAV: readonly NavEntry[] = [
  { to: '/', label: 'Overview', icon: IconGauge, key: 'o' },
  { to: '/workflows', label: 'Workflows', icon: IconRoute, key: 'w' },
  { to: '/jobs', label: 'Jobs', icon: IconListDetails, key: 'j' },
  { to: '/failures', label: 'Failures', icon: IconBug, key: 'f' },
  { to: '/workers', label: 'Workers', icon: IconServer2, key: 'k' },
  { to: '/logs', label: 'Logs', icon: IconLogs, key: 'l' },
  { to: '/dashboards', label: 'Dashboards', icon: IconLayoutDashboard, key: 'd' },
  { to: '/alerts', label: 'Alerts', icon: IconBell, key: 'a' },
  { to: '/settings', label: 'Settings', icon: IconSettings, key: 's' },
];

/** A page of the jobs, without a place of its own in the menu. */
export const OPERATIONS = { to: '/operations', label: 'Operations', key: 'p' } as const;
