import { IconBell, IconBug, IconGauge, IconListDetails, IconLogs, IconRoute, IconServer2, IconSettings, type TablerIcon } from '@tabler/icons-react';

export interface NavEntry {
  to: '/' | '/workflows' | '/jobs' | '/failures' | '/workers' | '/logs' | '/alerts' | '/settings';
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
  { to: '/alerts', label: 'Alerts', icon: IconBell, key: 'a' },
  { to: '/settings', label: 'Settings', icon: IconSettings, key: 's' },
];
