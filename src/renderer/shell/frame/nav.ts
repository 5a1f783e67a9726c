import {
  IconBell,
  IconBug,
  IconGauge,
  IconLayoutDashboard,
  IconListDetails,
  IconLogs,
  IconRoute,
  IconServer2,
  IconSettings,
  IconTopologyStar3,
  type TablerIcon,
} from '@tabler/icons-react';
import { t } from '../../../lib/language.ts';
import { desktop } from '../../stores/desktop.ts';

export interface NavEntry {
  to:
    | '/'
    | '/workflows'
    | '/jobs'
    | '/failures'
    | '/workers'
    | '/logs'
    | '/dashboards'
    | '/alerts'
    | '/fleet'
    | '/settings';
  label: string;
  icon: TablerIcon;
  /** Second key after `g`. */
  key: string;
}

/** In the order of the menu. A browser sees one cluster: there the fleet is found by the palette and its address alone. */
export const navEntries = (): readonly NavEntry[] => [
  { to: '/', label: t('Overview'), icon: IconGauge, key: 'o' },
  { to: '/workflows', label: t('Workflows'), icon: IconRoute, key: 'w' },
  { to: '/jobs', label: t('Jobs'), icon: IconListDetails, key: 'j' },
  { to: '/failures', label: t('Failures'), icon: IconBug, key: 'f' },
  { to: '/workers', label: t('Workers'), icon: IconServer2, key: 'k' },
  { to: '/logs', label: t('Logs'), icon: IconLogs, key: 'l' },
  { to: '/dashboards', label: t('Dashboards'), icon: IconLayoutDashboard, key: 'd' },
  { to: '/alerts', label: t('Alerts'), icon: IconBell, key: 'a' },
  ...(desktop() ? [fleetEntry()] : []),
  { to: '/settings', label: t('Settings'), icon: IconSettings, key: 's' },
];

export const fleetEntry = (): NavEntry => ({ to: '/fleet', label: t('Fleet'), icon: IconTopologyStar3, key: 'c' });

/** A page of the jobs, without a place of its own in the menu. */
export const operationsEntry = () => ({ to: '/operations', label: t('Operations'), key: 'p' }) as const;
