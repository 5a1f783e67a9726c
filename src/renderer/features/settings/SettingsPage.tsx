import { isOneOf } from '../../../lib/is-one-of.ts';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { desktop } from '../../stores/desktop.ts';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { sessionQuery } from '../../api/access.ts';
import { reaches } from '../../stores/permissions.ts';
import { useRights } from '../../stores/role.ts';
import { AboutTab } from './app/AboutTab.tsx';
import { AppearanceTab } from './app/AppearanceTab.tsx';
import { AuditTab } from './access/AuditTab.tsx';
import { ConnectionsTab } from './connections/ConnectionsTab.tsx';
import { DesktopTab } from './app/DesktopTab.tsx';
import { KeysTab } from './access/KeysTab.tsx';
import { LimitsTab } from './master/LimitsTab.tsx';
import { PipelineTab } from './master/PipelineTab.tsx';
import { SETTINGS_TABS, type SettingsTab, TAB_NEEDS } from './settings-search.ts';
import { AccountTab } from './people/AccountTab.tsx';
import { PeopleTab } from './people/PeopleTab.tsx';
import { ProjectsTab } from './people/ProjectsTab.tsx';
import { RolesTab } from './people/RolesTab.tsx';
import { useAlone } from '../../stores/projects.ts';
import { SessionsTab } from './access/SessionsTab.tsx';
import { SecretsTab } from './access/SecretsTab.tsx';
import css from './shared/Settings.module.css';
import { TokensTab } from './access/TokensTab.tsx';

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
const BODIES: Readonly<Record<SettingsTab, () => ReactNode>> = {
  connections: ConnectionsTab,
  appearance: AppearanceTab,
  desktop: DesktopTab,
  account: AccountTab,
  keys: KeysTab,
  tokens: TokensTab,
  people: PeopleTab,
  projects: ProjectsTab,
  roles: RolesTab,
  sessions: SessionsTab,
  secrets: SecretsTab,
  limits: LimitsTab,
  pipeline: PipelineTab,
  audit: AuditTab,
  about: AboutTab,
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
        <Body />
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
