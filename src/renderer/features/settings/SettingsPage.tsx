import { isOneOf } from '../../../lib/is-one-of.ts';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../../lib/language.ts';
import { desktop } from '../../stores/desktop.ts';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { sessionQuery } from '../../api/access.ts';
import { reaches } from '../../stores/permissions.ts';
import { useRights } from '../../stores/role.ts';
import { ConnectionsTab } from './connections/ConnectionsTab.tsx';
import { SETTINGS_TABS, type SettingsTab, TAB_NEEDS } from './settings-search.ts';
import { useAlone } from '../../stores/projects.ts';
import css from './shared/Settings.module.css';

const route = getRouteApi('/settings');
const LABELS: Readonly<Record<SettingsTab, string>> = {
  connections: t('Connections'),
  appearance: t('Appearance'),
  desktop: t('Desktop'),
  account: t('Account'),
  keys: t('API keys'),
  tokens: t('Tokens'),
  people: t('People'),
  projects: t('Projects'),
  roles: t('Roles'),
  sessions: t('Sessions'),
  secrets: t('Secrets'),
  limits: t('Limits'),
  pipeline: t('Log pipeline'),
  audit: t('Audit log'),
  about: t('About'),
};
/** What a tab shows is read when it is opened: most never are. */
const tabBody = <N extends string>(load: () => Promise<Readonly<Record<N, ComponentType>>>, name: N) =>
  lazy(async () => ({ default: (await load())[name] }));
const BODIES: Readonly<Record<SettingsTab, ComponentType>> = {
  connections: ConnectionsTab,
  appearance: tabBody(() => import('./app/AppearanceTab.tsx'), 'AppearanceTab'),
  desktop: tabBody(() => import('./app/DesktopTab.tsx'), 'DesktopTab'),
  account: tabBody(() => import('./people/AccountTab.tsx'), 'AccountTab'),
  keys: tabBody(() => import('./access/KeysTab.tsx'), 'KeysTab'),
  tokens: tabBody(() => import('./access/TokensTab.tsx'), 'TokensTab'),
  people: tabBody(() => import('./people/PeopleTab.tsx'), 'PeopleTab'),
  projects: tabBody(() => import('./people/ProjectsTab.tsx'), 'ProjectsTab'),
  roles: tabBody(() => import('./people/RolesTab.tsx'), 'RolesTab'),
  sessions: tabBody(() => import('./access/SessionsTab.tsx'), 'SessionsTab'),
  secrets: tabBody(() => import('./access/SecretsTab.tsx'), 'SecretsTab'),
  limits: tabBody(() => import('./master/LimitsTab.tsx'), 'LimitsTab'),
  pipeline: tabBody(() => import('./master/PipelineTab.tsx'), 'PipelineTab'),
  audit: tabBody(() => import('./access/AuditTab.tsx'), 'AuditTab'),
  about: tabBody(() => import('./app/AboutTab.tsx'), 'AboutTab'),
};
const TABLES: readonly SettingsTab[] = [
  'keys',
  'tokens',
  'account',
  'people',
  'projects',
  'roles',
  'sessions',
  'secrets',
  'limits',
  'pipeline',
  'audit',
];

export function SettingsPage(): ReactNode {
  const { tab = 'connections' } = route.useSearch();
  const navigate = route.useNavigate();
  const Body = BODIES[tab];
  const rights = useRights();
  const person = useQuery(sessionQuery()).data?.user;
  // Who works alone sees nothing of people and projects.
  const alone = useAlone();
  const hidden: Partial<Record<SettingsTab, boolean>> = {
    desktop: desktop() === null,
    account: person === undefined,
    people: alone,
    projects: alone,
    roles: alone,
  };
  const shows = (one: SettingsTab): boolean => {
    const needs = TAB_NEEDS[one];
    return one === tab || (hidden[one] !== true && (needs === undefined || reaches(rights, needs)));
  };
  return (
    <Page fill={TABLES.includes(tab)}>
      <PageHeader title={t('Settings')} documentTitle={t('{value}, settings', { value: LABELS[tab] })} />
      <Tabs
        value={tab}
        onChange={(next) => isOneOf(SETTINGS_TABS, next) && void navigate({ search: { tab: next } })}
        keepMounted={false}
      >
        <Tabs.List aria-label={t('Settings')} className={css['tabs']}>
          {SETTINGS_TABS.filter(shows).map((each) => (
            <Tabs.Tab key={each} value={each} id={`tab-${each}`} aria-controls="settings-panel">
              {LABELS[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Panel tab={tab} fill={TABLES.includes(tab)}>
        <Suspense fallback={null}>
          <Body />
        </Suspense>
      </Panel>
    </Page>
  );
}

function Panel({ tab, fill, children }: { tab: SettingsTab; fill: boolean; children: ReactNode }) {
  return (
    <div
      id="settings-panel"
      role="tabpanel"
      aria-labelledby={`tab-${tab}`}
      className={fill ? css['fill'] : css['stack']}
    >
      {children}
    </div>
  );
}
